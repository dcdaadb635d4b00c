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

    @property
    def least_rows(self) -> int:
        """A class with fewer rows cannot satisfy."""
        return max([1, *(model.least_rows() for model in self.models)])

    @property
    def compare_with_whole(self) -> bool:
        """Whether suppressing rows changes what the classes are compared with."""
        return any(model.compares_with_whole for model in self.models)

    def satisfied(self, groups: Groups) -> npt.NDArray[np.bool_]:
        """Say for every group whether it satisfies all goals.

        A group without rows does, unless a goal about the population says otherwise.
        """
        empty = groups.sizes == 0
        fine = (groups.sizes >= self.least_rows) | empty
        for model in self.models:
            fine &= model.satisfied(groups, self.whole) | (empty & (not model.needs_population))
        return np.asarray(fine, dtype=np.bool_)
