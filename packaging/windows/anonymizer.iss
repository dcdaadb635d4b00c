; Installer for Windows (Inno Setup 6): for the present user, without administrator rights.
; build.ps1 gives the version: iscc /DVersion=... anonymizer.iss
#ifndef Version
  #error Give the version: iscc /DVersion=...
#endif

[Setup]
AppId={{6B0E9D62-6B3C-4E0B-9C53-5D2A8B3E1F47}
AppName=Anonymizer
AppVersion={#Version}
AppVerName=Anonymizer {#Version}
AppPublisher=The Anonymizer developers
DefaultDirName={autopf}\Anonymizer
DefaultGroupName=Anonymizer
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
ChangesAssociations=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\icons\app.ico
UninstallDisplayIcon={app}\Anonymizer.exe
UninstallDisplayName=Anonymizer
OutputDir=..\..\dist
OutputBaseFilename=anonymizer-gui-{#Version}-windows-x64
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
VersionInfoVersion={#Version}
#ifdef SignTool
SignTool={#SignTool}
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[CustomMessages]
en.ProjectFile=Anonymizer project
de.ProjectFile=Anonymizer-Projekt

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked

[InstallDelete]
; An upgrade must not leave libraries of the version before.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\build\bundle\anonymizer-gui\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Anonymizer"; Filename: "{app}\Anonymizer.exe"; AppUserModelID: "org.anonymizer.Anonymizer"
Name: "{autodesktop}\Anonymizer"; Filename: "{app}\Anonymizer.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.anon\OpenWithProgids"; ValueType: string; ValueName: "Anonymizer.Project"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.anon"; ValueType: string; ValueName: ""; ValueData: "Anonymizer.Project"; Flags: uninsdeletevalue createvalueifdoesntexist
Root: HKA; Subkey: "Software\Classes\Anonymizer.Project"; ValueType: string; ValueName: ""; ValueData: "{cm:ProjectFile}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Anonymizer.Project\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\Anonymizer.exe,0"
Root: HKA; Subkey: "Software\Classes\Anonymizer.Project\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\Anonymizer.exe"" ""%1"""
; The command line finds the program by its name.
Root: HKA; Subkey: "Software\Microsoft\Windows\CurrentVersion\App Paths\anonymizer-gui.exe"; ValueType: string; ValueName: ""; ValueData: "{app}\anonymizer-gui.exe"; Flags: uninsdeletekey

[Run]
Filename: "{app}\Anonymizer.exe"; Description: "{cm:LaunchProgram,Anonymizer}"; Flags: nowait postinstall skipifsilent
