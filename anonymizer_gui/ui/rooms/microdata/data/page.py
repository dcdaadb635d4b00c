"""The columns of a survey: how many people a row stands for, and who lives together."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QSplitter, QStackedLayout, QTabWidget, QWidget

from anonymizer_gui.engine.data.tables.column_profile import ColumnFacts, all_column_facts, profile
from anonymizer_gui.engine.data.tables.io.read_write import suggest_in_background
from anonymizer_gui.engine.data.tables.suggestions import Suggestion
from anonymizer_gui.engine.data.tables.table import ColumnType, Role, Table
from anonymizer_gui.engine.data.tables.unique_columns import find_unique_combinations
from anonymizer_gui.engine.rooms.microdata.people import RepeatedPersons, suggest_person_column
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.microdata.data.column_list import ColumnList
from anonymizer_gui.ui.rooms.microdata.data.column_profile import ColumnProfilePanel
from anonymizer_gui.ui.rooms.microdata.data.suggestions import IdentifyingSetsPanel, RoleSuggestionList
from anonymizer_gui.ui.rooms.microdata.data.table_panel import TablePanel
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument, identifying_column_names
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.role_chip import ROLE_LETTERS, role_change_text, role_icon, role_name
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Job


def mark_weight(page: "DataPage", name: str = "") -> None:
    """Let the named column, or the selected one, be the sampling weight; said again, there is none."""
    chosen = name or next(iter(page.selected_columns()), "")
    project = page.document.project
    if chosen and project.sampling_weight == chosen:
        page.document.take(project.surveyed(weight=""), tr("No sampling weight"))
    elif chosen:
        page.document.take(project.surveyed(weight=chosen), tr("Mark {column} as the sampling weight", column=chosen))


def mark_household(page: "DataPage", name: str = "") -> None:
    """Let the named column, or the selected one, say who lives together; said again, none does."""
    chosen = name or next(iter(page.selected_columns()), "")
    project = page.document.project
    if chosen and project.household == chosen:
        page.document.take(project.surveyed(household=""), tr("No household column"))
    elif chosen:
        page.document.take(project.surveyed(household=chosen), tr("Mark {column} as the household", column=chosen))


def add_survey_entries(menu: QMenu, page: "DataPage", name: str) -> None:
    """Offer both in the menu of a column, with a mark where it is one of them."""
    project = page.document.project
    for text, marked, mark in (
        (tr("Sampling Weight"), project.sampling_weight, mark_weight),
        (tr("Household"), project.household, mark_household),
    ):
        entry = menu.addAction(text)
        entry.setCheckable(True)
        entry.setChecked(marked == name)
        entry.triggered.connect(lambda _checked=False, mark=mark: mark(page, name))


def column_menu(page: "DataPage", name: str) -> QMenu:
    """Make the menu of a column; roles are given to all that are selected."""
    menu = QMenu(page)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for role in Role:
        entry = menu.addAction(role_icon(role), f"{role_name(role)}\t{ROLE_LETTERS[role]}")
        entry.triggered.connect(lambda _checked=False, role=role: page.mark_columns(role))
    person = menu.addAction(theme.icon("person"), tr("The Person"))
    person.setCheckable(True)
    person.setChecked(page.document.project.person == name)
    person.triggered.connect(lambda: page.mark_person(name))
    add_survey_entries(menu, page, name)
    menu.addAction(tr("Leave Out of the Release")).triggered.connect(lambda: page.leave_out())
    menu.addSeparator()
    menu.addAction(tr("Sort Ascending")).triggered.connect(lambda: page.sort(name))
    menu.addAction(tr("Sort Descending")).triggered.connect(lambda: page.sort(name, True))
    menu.addAction(tr("Order of the File")).triggered.connect(lambda: page.sort(""))
    menu.addSeparator()
    menu.addAction(tr("Copy")).triggered.connect(lambda: page.view.copy())
    menu.addAction(tr("Copy with Names")).triggered.connect(lambda: page.view.copy(header=True))
    return menu


class DataPage(Page):
    """The table with its roles, and the selected column beside it."""

    document: MicrodataDocument
    name = "data"
    title = "Data"
    order = 10
    icon = "data"
    help = "microdata/data"
    _search: Job | None = None

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a table, whether its columns have roles, and whether what points to people was seen."""
        if document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table"))
        schema = document.project.schema
        qi, sensitive = len(schema.quasi), len(schema.names(Role.SA))
        if not qi:
            return StepStatus(StepState.READY, tr("Mark the columns"))
        reasons = identifying_column_names(document)
        unseen = [name for name in document.project.undecided_columns() if name in reasons]
        if unseen:
            return StepStatus(StepState.READY, tr("{count:column|columns} to look at", count=len(unseen)))
        return StepStatus(
            StepState.DONE, tr("{qi:quasi-identifier|quasi-identifiers}, {sa} sensitive", qi=qi, sa=sensitive)
        )

    def home_of_shortcuts(self) -> QWidget:
        """Let the letters of the roles work in the table, not in the fields around it."""
        return self.view

    def mark_columns(self, role: Role, names: Sequence[str] = ()) -> None:
        """Give the named columns, or the selected ones, a role as one step."""
        chosen = list(names) or self.selected_columns()
        if chosen:
            project = self.document.project.with_roles(dict.fromkeys(chosen, role))
            self.document.take(project, role_change_text(chosen, role))

    def mark_person(self, name: str = "") -> None:
        """Let the named column, or the selected one, say whom a row is about; said again, rows are counted."""
        chosen = name or next(iter(self.selected_columns()), "")
        project = self.document.project
        if chosen and project.person == chosen:
            self.document.take(project.about(""), tr("Count rows, not people"))
        elif chosen:
            self.document.take(project.about(chosen), tr("Mark {column} as the person", column=chosen))

    def leave_out(self, names: Sequence[str] = ()) -> None:
        """Publish nothing of the named columns, or of the selected ones, as one step."""
        chosen = list(names) or self.selected_columns()
        if chosen:
            what = chosen[0] if len(chosen) == 1 else tr("{count:column|columns}", count=len(chosen))
            self.document.take(self.document.project.leaving_out(chosen), tr("Leave out {column}", column=what))

    def agree(self) -> None:
        """Publish the selected columns of no role as they are, as one step."""
        chosen = self.selected_columns()
        what = chosen[0] if len(chosen) == 1 else tr("{count:column|columns}", count=len(chosen))
        self.document.take(self.document.project.agreeing_to(chosen), tr("Agree to publish {column}", column=what))

    def selected_columns(self) -> list[str]:
        """Name the columns selected in the list, when it is in front, or in the table."""
        return self.columns.selected() if self.views.currentWidget() is self.columns else self.view.selected_columns()

    def show_columns(self, sort: str = "") -> None:
        """Bring the list of all columns to the front; `sort` is a role, or `open` for those to look at."""
        self.views.setCurrentWidget(self.columns)
        self.columns.show_sort(sort)
        self.columns.view.setFocus()

    def show_rows(self, rows: Sequence[int], column: str = "") -> None:
        """Show only these rows of the file, and a column of them; none shows all."""
        self.views.setCurrentWidget(self.whole)
        self.whole.show_rows(rows, column)

    def find_identifying(self) -> None:
        """Have the smallest sets of columns found that single out most rows."""
        table, project = self.document.table, self.document.project
        self.views.setCurrentWidget(self.identifying)
        if table is None:
            return
        gone = {*project.schema.names(Role.EI), *project.left_out_columns()}
        names = tuple(name for name in table.names if name not in gone)
        self.identifying.show_running()
        self._search = self.document.jobs.start(
            tr("Find the columns that identify"),
            find_unique_combinations,
            table,
            names,
            on_done=self.identifying.show_sets,
            replace_key="identifying",
        )

    def sort(self, column: str, descending: bool = False) -> None:
        """Sort by a column; an empty name brings back the order of the file."""
        self.whole.sort(column, descending)

    def _build(self) -> None:
        self._dismissed = False
        self._pointed: object = None
        self._suggested: tuple[Suggestion, ...] = ()
        self._likely_person: tuple[str, RepeatedPersons] | None = None
        self.whole = TablePanel(self.document)
        self.model, self.view, self.find_bar = self.whole.model, self.whole.view, self.whole.find_bar
        self.only_rows = self.whole.only_rows
        self.panel = ColumnProfilePanel()
        self.suggestions = RoleSuggestionList()
        self.columns, self.identifying = ColumnList(), IdentifyingSetsPanel()
        self.views = name_widget(QTabWidget(documentMode=True), "data_views")
        self.side = name_widget(QTabWidget(documentMode=True), "data_side")
        self.empty = EmptyState(
            tr("No table is open yet."),
            tr("Open a Table…"),
            lambda: self.do.emit("file.open"),
            icon="data",
            hint=tr("You can also drop a file anywhere on this window."),
        )
        self._lay_out()

    def _lay_out(self) -> None:
        for widget, title in (
            (self.whole, tr("Table")),
            (self.columns, tr("Columns")),
            (self.identifying, tr("Which columns identify?")),
        ):
            self.views.addTab(widget, title)
        self.side.addTab(self.panel, tr("Column"))
        self.side.addTab(self.suggestions, tr("Suggestions"))
        splitter = name_widget(QSplitter(), "data_splitter")
        splitter.addWidget(self.views)
        splitter.addWidget(self.side)
        splitter.setStretchFactor(0, 1)
        splitter.setCollapsible(0, False)
        width = self.fontMetrics().height()
        splitter.setSizes([width * 50, width * 20])
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(splitter)

    def _connect(self) -> None:
        head = self.view.horizontalHeader()
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._on_head_menu)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._on_cell_menu)
        self.view.columns_selected.connect(self._on_selected)
        self.views.currentChanged.connect(lambda _place: self._on_selected(self.selected_columns()))
        self.columns.chosen.connect(self._on_selected)
        self.columns.role_wanted.connect(self.mark_columns)
        self.columns.left_out_wanted.connect(self.leave_out)
        self.columns.menu_wanted.connect(lambda name, point: column_menu(self, name).popup(point))
        self.columns.opened.connect(self._on_opened)
        self.identifying.wanted.connect(self.find_identifying)
        self.identifying.stopped.connect(self._on_search_stopped)
        self.identifying.marked.connect(lambda names: self.mark_columns(Role.QI, names))
        self.panel.left_out_chosen.connect(self.leave_out)
        self.panel.agreed.connect(self.agree)
        self.panel.person_chosen.connect(self.mark_person)
        self.suggestions.person_accepted.connect(self.mark_person)
        self.panel.role_chosen.connect(self.mark_columns)
        self.panel.type_chosen.connect(self._on_type)
        self.suggestions.accepted.connect(self._on_accepted)
        self.suggestions.dismissed.connect(self._on_dismissed)

    def _show(self, changed: frozenset[str]) -> None:
        table, schema = self.document.table, self.document.project.schema
        self._stack.setCurrentIndex(int(table is not None))
        if table is None:
            return
        if is_affected(changed, "table") and table is not self.model.table:
            self._show_table()
        elif is_affected(changed, "schema", "publishing", "acknowledged", "goals", "person"):
            self.model.set_schema(schema)
            self._show_suggestions()
            self._on_selected(self.selected_columns())
        self._show_columns(table)
        self.document.ask("person", suggest_person_column, table, schema.names(Role.EI), then=self._on_person)
        if Change.EVERYTHING in changed:
            self.model.recolour()
        self._show_pointed()

    def _show_columns(self, table: Table) -> None:
        self.columns.model.show_project(self.document.project)
        self.columns.model.show_reasons(identifying_column_names(self.document))
        self.views.setTabText(self.views.indexOf(self.columns), tr("Columns ({count})", count=len(table.names)))
        self.document.ask("overview", all_column_facts, table, then=self._on_overview, title=tr("Look at the columns"))

    def _show_pointed(self) -> None:
        """Go where a check has pointed to, once."""
        pointed = self.document.pointed
        if pointed is not None and pointed is not self._pointed:
            self._pointed = pointed
            self.show_rows(pointed.rows, pointed.place)

    def _show_table(self) -> None:
        table = self.document.table
        if table is None:
            return
        self._dismissed = False
        self._suggested, self._likely_person = (), None
        self.whole.show_table()
        self.identifying.forget()
        self.views.setCurrentIndex(0)
        self._show_suggestions()
        self.side.setCurrentWidget(self.panel)
        source = self.document.project.source
        decimal = str(source.options.get("decimal", ".")) if source else "."
        self.document.ask("suggestions", suggest_in_background, table, decimal, then=self._on_suggested)
        if table.names and table.n_rows:
            self.view.select_column(table.names[0])

    def _on_suggested(self, found: tuple[Suggestion, ...]) -> None:
        self._suggested = found
        self._show_suggestions()
        if self.suggestions.shown and not self.document.project.schema.quasi:
            self.side.setCurrentWidget(self.suggestions)

    def _show_suggestions(self) -> None:
        schema = self.document.project.schema
        new = [
            suggestion
            for suggestion in self._suggested
            if suggestion.role is not Role.OTHER and schema.column(suggestion.column).role is Role.OTHER
        ]
        person = None if self.document.project.person else self._likely_person
        self.suggestions.show_suggestions(new, person)
        count = len(new) + (person is not None)
        place = self.side.indexOf(self.suggestions)
        self.side.setTabVisible(place, count > 0 and not self._dismissed)
        self.side.setTabText(place, tr("Suggestions ({count})", count=count))

    def _on_person(self, found: tuple[str, RepeatedPersons] | None) -> None:
        if found != self._likely_person:
            self._likely_person = found
            self._show_suggestions()

    def _on_selected(self, names: list[str]) -> None:
        table, schema = self.document.table, self.document.project.schema
        if table is None or not names or names[0] not in table.names:
            return
        entry = schema.column(names[-1])
        self.panel.show_columns([schema.column(name) for name in names])
        self.panel.show_leaving(self.document.project, names)
        chosen = names[0] if len(names) == 1 else tr("{count:column|columns}", count=len(names))
        self.status.emit(tr("Selected: {what}", what=chosen))
        title = tr("Look at {column}", column=entry.name)
        self.document.ask("profile", profile, table, entry, then=self.panel.show_profile, title=title)

    def _on_overview(self, facts: tuple[ColumnFacts, ...]) -> None:
        if [one.name for one in facts] == [c.name for c in self.columns.model.project.schema.columns]:
            self.columns.model.show_facts(facts)
            self.columns.fit()

    def _on_opened(self, name: str) -> None:
        self.views.setCurrentIndex(0)
        self.view.select_column(name)
        self.view.setFocus()

    def _on_search_stopped(self) -> None:
        if self._search is not None:
            self._search.cancel()
        self.identifying.show_stopped()

    def _on_type(self, column_type: ColumnType, column_format: str) -> None:
        names = self.selected_columns()
        schema = self.document.project.schema
        for name in names:
            schema = schema.with_type(name, column_type, column_format)
        what = names[0] if len(names) == 1 else tr("{count:column|columns}", count=len(names))
        self.document.edit(tr("Read {column} as {type}", column=what, type=tr(column_type.value)), schema=schema)

    def _on_accepted(self, suggestions: Sequence[Suggestion]) -> None:
        roles = {suggestion.column: suggestion.role for suggestion in suggestions}
        first = suggestions[0]
        text = role_change_text([first.column], first.role) if len(roles) == 1 else tr("Accept the suggested roles")
        self.document.take(self.document.project.with_roles(roles), text)

    def _on_dismissed(self) -> None:
        self._dismissed = True
        self._show_suggestions()

    def _on_head_menu(self, point: QPoint) -> None:
        place = self.view.horizontalHeader().logicalIndexAt(point)
        if place < 0:
            return
        name = self.model.table.names[place]
        if name not in self.view.selected_columns():
            self.view.selectColumn(place)
        column_menu(self, name).popup(self.view.horizontalHeader().mapToGlobal(point))

    def _on_cell_menu(self, point: QPoint) -> None:
        place = self.view.columnAt(point.x())
        if place >= 0:
            column_menu(self, self.model.table.names[place]).popup(self.view.viewport().mapToGlobal(point))
