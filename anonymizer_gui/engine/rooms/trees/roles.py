"""What a path of labels is to privacy."""

import enum

from anonymizer_gui.engine.data.tables.table import Role


class PathRole(enum.Enum):
    """Identifiers and what is removed never leave; quasi-identifiers are made coarser; the others leave as they are."""

    IDENTIFIER = "identifier"
    QUASI = "quasi-identifier"
    SENSITIVE = "sensitive"
    PUBLIC = "public"
    REMOVE = "remove"

    @property
    def leaves(self) -> bool:
        """Whether labels of the path are in the release."""
        return self not in (PathRole.IDENTIFIER, PathRole.REMOVE)


UNDECIDED = PathRole.REMOVE
"""The role of a path nobody has decided about: it does not leave."""
TITLES = {
    PathRole.IDENTIFIER: "Identifier",
    PathRole.QUASI: "Quasi-identifier",
    PathRole.SENSITIVE: "Sensitive",
    PathRole.PUBLIC: "Public",
    PathRole.REMOVE: "Remove",
}
AS_COLUMN = {
    PathRole.IDENTIFIER: Role.EI,
    PathRole.QUASI: Role.QI,
    PathRole.SENSITIVE: Role.SA,
    PathRole.PUBLIC: Role.OTHER,
    PathRole.REMOVE: Role.OTHER,
}
"""What the tree editor, which knows columns, takes a role for."""
OF_COLUMN = {
    Role.EI: PathRole.IDENTIFIER,
    Role.QI: PathRole.QUASI,
    Role.SA: PathRole.SENSITIVE,
    Role.OTHER: PathRole.PUBLIC,
}
SHORT = {"EI": PathRole.IDENTIFIER, "QI": PathRole.QUASI, "SA": PathRole.SENSITIVE, "other": PathRole.PUBLIC}
