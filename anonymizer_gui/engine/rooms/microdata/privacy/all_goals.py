"""All privacy goals together, asked for many candidate classes at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonymizer_gui.engine.rooms.microdata.privacy.contract import Groups, PrivacyModel, Whole


@dataclass(frozen=True, slots=True, eq=False)
class Goals:
    """The privacy models that must hold together, against one whole table."""

    models: tuple[PrivacyModel, ...]
    whole: Whole
    by_people: bool = False
    """Whether several rows may be about one person, so that people are counted."""
    are_stricter: bool = False
    """Whether more is asked than the user did, so that what cannot be reached with them may be reached without."""

    @property
    def least_rows(self) -> int:
        """A class with fewer rows, or fewer people where these are counted, cannot satisfy."""
        return max([1, *(model.least_rows() for model in self.models)])

    @property
    def compare_with_whole(self) -> bool:
        """Whether suppressing rows changes what the classes are compared with."""
        return any(model.compares_with_whole for model in self.models)

    @property
    def hold_in_union(self) -> bool:
        """Whether classes that satisfy do so together, too.

        Somebody with another value in each of two classes counts with one of them in their union.
        """
        return not self.by_people or all(model.by_size_alone or not model.counts_people for model in self.models)

    @property
    def of_table(self) -> tuple[PrivacyModel, ...]:
        """The goals about all classes of the table together."""
        return tuple(model for model in self.models if model.of_table)

    @property
    def stay_when_merged(self) -> bool:
        """Whether a table that keeps all goals still does when classes are merged."""
        return self.hold_in_union and all(model.stays_when_merged for model in self.models)

    @property
    def need_cells(self) -> bool:
        """Whether a goal looks at the cells of classes."""
        return any(model.needs_cells for model in self.models)

    def kept_by_table(self, groups: Groups) -> bool:
        """Say whether the goals about all classes together are kept by a table of these."""
        return all(model.measure(groups, self.whole).holds for model in self.of_table)

    def fails_in_parts(self, model: PrivacyModel) -> bool:
        """Say whether every part of a class that fails a goal does so, too."""
        return model.by_size_alone or (model.fails_in_parts and not (self.by_people and model.counts_people))

    def satisfied(self, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say for every group whether it satisfies all goals.

        A group without rows does, unless a goal about the population says otherwise.
        """
        empty = groups.sizes == 0
        fine = (groups.people >= self.least_rows) | empty
        for model in self.models:
            fine &= model.satisfied(groups, self.whole) | (empty & (not model.needs_population))
        return np.asarray(fine, dtype=np.bool_)
