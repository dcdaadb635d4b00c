"""Options for privacy goals, made from the declarations of the models: shared by all commands that take goals."""

import argparse
from pathlib import Path

from anonymizer_gui.engine.core.errors import BadParameter
from anonymizer_gui.engine.core.params import Param, Shares, Text, from_texts, params_of
from anonymizer_gui.engine.data.tables.io import read_table
from anonymizer_gui.engine.rooms.microdata.models.contract import PRIVACY_MODELS, PrivacyModel, main_parameter


def add_goal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--k 5`, `--t 0.2 --t-distance emd-ordered` and so on: one option per model, named as it, and its others."""
    options = parser.add_argument_group("privacy goals", "All goals that are given must hold together.")
    for model in PRIVACY_MODELS:
        for declared in params_of(model):
            told = f"{model.title}: {declared.help} ({declared.kind.rule()}"
            told += ")" if _is_main(model, declared) else f"; {_usual(declared)} when not given)"
            told += "".join(f" {value:g}: {source}." for value, source in declared.presets)
            options.add_argument(
                option_name(model, declared),
                dest=_dest(model, declared),
                metavar=declared.label.upper().replace(" ", "_"),
                help=told.replace("%", "%%"),
            )


def goals_from(args: argparse.Namespace) -> tuple[PrivacyModel, ...]:
    """Make the goals from the options given; raises BadParameter when one is wrong or lacks its model."""
    goals: list[PrivacyModel] = []
    for model in PRIVACY_MODELS:
        declared = params_of(model)
        given = {p.name: str(text) for p in declared if (text := getattr(args, _dest(model, p), None)) is not None}
        if given and declared[0].name not in given:
            main, other = option_name(model, declared[0]), next(p for p in declared if p.name in given)
            raise BadParameter(f"{option_name(model, other)} says nothing without {main}.", f"Add {main} VALUE.")
        _imply(model, given)
        for p in declared:
            if p.name in given and isinstance(p.kind, Shares) and given[p.name].startswith("@"):
                given[p.name] = _from_file(Path(given[p.name][1:]))
        if given:
            goals.append(from_texts(model, given))
    return tuple(goals)


def _imply(model: type[PrivacyModel], given: dict[str, str]) -> None:
    """Take what an option that counts only beside another choice says of that choice; raises BadParameter."""
    for p in params_of(model):
        if p.name in given and p.when:
            other = next(each for each in params_of(model) if each.name == p.when[0])
            if given.setdefault(other.name, p.when[1]) != p.when[1]:
                raise BadParameter(
                    f"{option_name(model, p)} says nothing beside {option_name(model, other)} {given[other.name]}.",
                    f"Leave one of them out, or give {option_name(model, other)} {p.when[1]}.",
                )


def _from_file(path: Path) -> str:
    """Read a distribution from a file with a value and its share or count in every row, under a head."""
    table = read_table(path)[0]
    if len(table.names) != 2:
        raise BadParameter(
            f"“{path.name}” is not a distribution.", "Give a table of two columns: values, and shares or counts."
        )
    values, shares = (column.texts().tolist() for column in table.columns)
    return ",".join(f"{value.replace(',', ',,')}={share}" for value, share in zip(values, shares, strict=True))


def option_name(model: type[PrivacyModel], declared: Param) -> str:
    """Name the option of a parameter: that of the model for its first one, model and parameter for the others."""
    return f"--{model.name}" if _is_main(model, declared) else f"--{model.name}-{declared.name.replace('_', '-')}"


def _is_main(model: type[PrivacyModel], declared: Param) -> bool:
    return main_parameter(model).name == declared.name


def _usual(declared: Param) -> str:
    """Say what an option that is not given stands for."""
    if declared.default == "":
        return declared.kind.empty if isinstance(declared.kind, Text) else ""
    return str(declared.default)


def _dest(model: type[PrivacyModel], declared: Param) -> str:
    return f"goal {option_name(model, declared)}"
