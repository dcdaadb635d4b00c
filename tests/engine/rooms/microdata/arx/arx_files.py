"""Small ARX projects, written as ARX writes them."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

COLUMN = """<assigment><name>{name}</name><type>{role}</type><datatype>{datatype}</datatype>{more}</assigment>"""
CONFIG = """<config><relativeMaxOutliers>{share}</relativeMaxOutliers><metric>{metric}</metric>
<attributeWeights><attributeWeight><attribute>age</attribute><weight>{age}</weight></attributeWeight>
<attributeWeight><attribute>zip</attribute><weight>0.5</weight></attributeWeight></attributeWeights>
<criteria>{criteria}</criteria></config>"""
AGES = "".join(f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*\n" for age in range(20, 60))
ZIPS = "".join(f"{zip_code};{zip_code[:2]}*;*\n" for zip_code in ("1011", "1012", "2021", "2022"))
ROWS = "".join(
    f"Person {at};{20 + at % 40};{('1011', '1012', '2021', '2022')[at % 4]};{('flu', 'asthma', 'HIV')[at % 3]};x\n"
    for at in range(120)
)


def definition() -> str:
    """Give the roles and types of five columns."""
    ref = "<ref>hierarchies/{}.csv</ref><min>{}</min><max>All</max>".format
    columns = (
        COLUMN.format(name="name", role="IDENTIFYING_ATTRIBUTE", datatype="String", more=""),
        COLUMN.format(name="age", role="QUASI_IDENTIFYING_ATTRIBUTE", datatype="Integer", more=ref("age", 1)),
        COLUMN.format(name="zip", role="QUASI_IDENTIFYING_ATTRIBUTE", datatype="String", more=ref("zip", "All")),
        COLUMN.format(name="illness", role="SENSITIVE_ATTRIBUTE", datatype="String", more=""),
        COLUMN.format(name="note", role="INSENSITIVE_ATTRIBUTE", datatype="String", more="<response>true</response>"),
    )
    return f"<definition>{''.join(columns)}</definition>"


def write_project(
    path: Path,
    *criteria: str,
    parts: Mapping[str, str | bytes] | None = None,
    share: str = "0.05",
    metric: str = "Loss (0.5/1.0/1.0)",
    age: str = "0.5",
) -> Path:
    """Write an ARX project; `parts` replaces entries of the archive."""
    listed = "".join(f"<criterion>{text}</criterion>" for text in (criteria or ("5-anonymity",)))
    entries: dict[str, str | bytes] = {
        "metadata.xml": "<metadata><version>3.9.2</version></metadata>",
        "project.xml": "<project><name>Clinic</name><separator>;</separator><quote>&quot;</quote></project>",
        "data/input.csv": "name;age;zip;illness;note\n" + ROWS,
        "input/definition.xml": definition(),
        "input/config.xml": CONFIG.format(share=share, metric=metric, age=age, criteria=listed),
        "input/hierarchies/age.csv": AGES,
        "input/hierarchies/zip.csv": ZIPS,
        "input/config.dat": b"\xac\xed\x00\x05never read",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**entries, **(parts or {})}.items():
            archive.writestr(name, content)
    return path
