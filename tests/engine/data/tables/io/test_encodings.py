"""The encoding is told with its doubt; a stray byte does not turn a whole file into nonsense."""

from dataclasses import replace
from pathlib import Path

import pytest

from anonymizer_gui.engine.core.errors import UnreadableFile
from anonymizer_gui.engine.data.tables.io import read_table, sniff
from anonymizer_gui.engine.data.tables.io.csv_dialect import EncodingGuess, guess_encoding
from anonymizer_gui.engine.data.tables.io.options import ENCODINGS

SAMPLES = {
    "cp1252": "name;stadt;diagnose\nMüller;Köln;Grippe\nGroß;Düsseldorf;Entzündung\nJosé;São Paulo;—\n",
    "cp1250": "jméno;město\nTomáš;Plzeň\nJiří;Brno\nŽofie;Hradec Králové\nłódź;Kraków\n",
    "cp1254": "ad;şehir\nAyşe;İstanbul\nIşık;Eskişehir\nÇağrı;Muğla\n",
    "cp1257": "vārds;pilsēta\nJānis;Rīga\nAnžela;Liepāja\nŠarūnas;Šiauliai\n",
    "cp1251": "имя;город;диагноз\nИван;Москва;грипп\nМария;Санкт-Петербург;ангина\nОльга;Новосибирск;астма\n",
    "koi8-r": "имя;город;диагноз\nИван;Москва;грипп\nМария;Санкт-Петербург;ангина\nОльга;Новосибирск;астма\n",
    "cp1253": "όνομα;πόλη\nΓιώργος;Αθήνα\nΜαρία;Θεσσαλονίκη\nΕλένη;Πάτρα\n",
    "cp1255": "שם;עיר\nדוד;ירושלים\nמרים;תל אביב\nיעקב;חיפה\n",
    "cp1256": "الاسم;المدينة\nمحمد;القاهرة\nفاطمة;الإسكندرية\nعلي;دمشق\n",
    "shift_jis": "名前;都市;病気\n田中さん;東京;かぜ\n山本さん;大阪;インフルエンザ\n",
    "gb18030": "姓名;城市;疾病\n王小明;北京市;流感\n李红;上海市;糖尿病\n张伟;广州市;高血压\n",
    "big5": "姓名;城市;疾病\n王小明;臺北市;流感\n李美華;高雄市;糖尿病\n陳大文;臺中市;高血壓\n",
    "euc-kr": "이름;도시;질병\n김철수;서울;감기\n이영희;부산;당뇨병\n",
    "cp850": "name;stadt\nMüller;Köln\nGroß;Düsseldorf\nBäcker;Lübeck\n",
    "mac-roman": "nom;ville\nHélène;Orléans\nFrançois;Besançon\nRené;Nîmes\n",
}
CLOSE_RELATIVES = ("cp1254", "cp1257")
"""Their few letters of their own are told apart from others by luck only."""


@pytest.mark.parametrize("encoding", SAMPLES)
def test_the_encoding_is_guessed_or_named_as_a_doubt(encoding: str) -> None:
    found = guess_encoding(SAMPLES[encoding].encode(encoding), True)
    assert encoding in (found.encoding, *found.others)
    assert encoding == found.encoding or encoding in CLOSE_RELATIVES
    assert {found.encoding, *found.others} <= set(ENCODINGS)


@pytest.mark.parametrize("encoding", SAMPLES)
def test_reading_tells_that_the_encoding_is_a_guess(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(SAMPLES[encoding].encode(encoding))
    report = read_table(path)[1]
    assert report.problems[0].startswith("The letters were read as ")
    assert ENCODINGS[report.encoding] in report.problems[0]
    for other in report.other_encodings:
        assert ENCODINGS[other] in report.problems[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "ascii"])
def test_unicode_leaves_no_doubt(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    text = "name;town\nAnn;Rome\n" if encoding == "ascii" else SAMPLES["cp1252"].replace("—", "x")
    path.write_bytes(text.encode(encoding))
    report = read_table(path)[1]
    assert (report.other_encodings, report.problems) == ((), ())


def test_a_stray_byte_in_unicode_is_named_with_its_line_and_nothing_becomes_nonsense(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"name;town\n" + "Müller;Köln\n".encode() * 20 + b"Stra\xdfe;Ulm\n" + "Groß;Köln\n".encode())
    assert sniff(path).encoding == "utf-8"
    with pytest.raises(UnreadableFile, match="Line 22 of") as caught:
        read_table(path)
    assert "marked" in caught.value.hint
    table, report = read_table(path, replace(sniff(path), stray_bytes="mark"))
    assert table.column("name").labels == ("Groß", "Müller", "Stra\N{REPLACEMENT CHARACTER}e")
    assert report.stray_lines.first == (22,)
    assert any("1 line has bytes that stand for no letter" in problem for problem in report.problems)


def test_strays_are_counted_over_blocks_and_in_other_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonymizer_gui.engine.data.tables.io import input_stream

    monkeypatch.setattr(input_stream, "BLOCK", 7)
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n1;\xff\n2;3\n4;\xc3\n")
    options = replace(sniff(path), encoding="utf-8", stray_bytes="mark")
    assert read_table(path, options)[1].stray_lines.first == (2, 4)
    path.write_bytes(b"a;b\n1;\x81\n")
    assert read_table(path, replace(options, encoding="cp1252"))[1].stray_lines.first == (2,)


def test_no_text_has_no_encoding() -> None:
    assert guess_encoding(bytes(100), True) == EncodingGuess("")
    assert guess_encoding(b"\x81\x8d\x8f\x90\x9d" * 5, True).encoding
