# Makes the bundle and the installer for Windows in dist\. Needs Python 3.11 or newer and Inno Setup 6.
#
#     powershell -File packaging\windows\build.ps1
#
# A signing tool that Inno Setup knows is used when its name is in SIGN_TOOL.
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Checked {
    param([string] $Program, [string[]] $Arguments)
    & $Program @Arguments
    if ($LASTEXITCODE -ne 0) { throw "$Program ended with $LASTEXITCODE" }
}

$python = ".venv\Scripts\python.exe"
if (-not (Test-Path $python)) { Invoke-Checked "python" @("-m", "venv", ".venv") }
Invoke-Checked $python @("-m", "pip", "install", "--quiet", "--constraint", "packaging\constraints.txt", "--editable", ".[package]")

$version = & $python -c "import anonymizer_gui; print(anonymizer_gui.__version__)"
foreach ($folder in @("build", "dist")) {
    if (Test-Path $folder) { Remove-Item -Recurse -Force $folder }
}
New-Item -ItemType Directory "dist" | Out-Null
Invoke-Checked $python @("packaging\bundle\make_icons.py", "build\icons")
Invoke-Checked $python @("-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", "build\bundle",
    "--workpath", "build\work", "packaging\bundle\anonymizer-gui.spec")

# The bundle must know as much as the source tree.
$program = "build\bundle\anonymizer-gui\anonymizer-gui.exe"
$bundled = & $program list --json
$expected = & $python -m anonymizer_gui list --json
if ("$bundled" -ne "$expected") { throw "The bundle lists other parts than the source tree." }
$size = (Get-ChildItem -Recurse build\bundle | Measure-Object -Property Length -Sum).Sum / 1048576
Write-Output ("The bundle has {0:N0} MB." -f $size)

$compiler = Join-Path ${env:ProgramFiles(x86)} "Inno Setup 6\ISCC.exe"
$options = @("/Qp", "/DVersion=$version")
if ($env:SIGN_TOOL) { $options += "/DSignTool=$env:SIGN_TOOL" }
Invoke-Checked $compiler ($options + "packaging\windows\anonymizer.iss")
Invoke-Checked $python @("packaging\list_parts.py", "dist\anonymizer-gui-$version-windows-x64.cdx.json")
