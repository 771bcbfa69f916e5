"""Bytes to text and back, for real encodings and for any bytes at all."""

import codecs
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.source.decode import ENCODINGS, Decoded, decode, encode
from mqlint.source.ebcdic import cp1047, encode_1047
from tests.linear import is_linear_in_time, steps

SCRIPT = "* list queues\nDEFINE QLOCAL('PAY.IN') +\n       DESCR('payments') REPLACE\n"
UMLAUT = SCRIPT.replace("payments", "Zahlungsausgänge")


def _cards(text: str) -> bytes:
    return encode_1047("".join(line.ljust(80) for line in text.splitlines()))


CASES = {
    "plain": (SCRIPT.encode(), SCRIPT, "utf-8", "lf", False),
    "empty": (b"", "", "utf-8", "lf", False),
    "windows line ends stay": (b"A\r\nB\r\n", "A\r\nB\r\n", "utf-8", "lf", False),
    "mixed line ends stay": (b"A\rB\nC", "A\rB\nC", "utf-8", "lf", False),
    "lone carriage returns": (b"A\rB\r", "A\nB\n", "utf-8", "cr", False),
    "utf-8": (UMLAUT.encode(), UMLAUT, "utf-8", "lf", False),
    "utf-8 with a mark": (codecs.BOM_UTF8 + UMLAUT.encode(), UMLAUT, "utf-8-bom", "lf", False),
    "powershell": (
        codecs.BOM_UTF16_LE + SCRIPT.replace("\n", "\r\n").encode("utf-16-le"),
        SCRIPT.replace("\n", "\r\n"),
        "utf-16-le-bom",
        "lf",
        False,
    ),
    "utf-16 be": (
        codecs.BOM_UTF16_BE + UMLAUT.encode("utf-16-be"),
        UMLAUT,
        "utf-16-be-bom",
        "lf",
        False,
    ),
    "utf-16 le, mark cut off": (SCRIPT.encode("utf-16-le"), SCRIPT, "utf-16-le", "lf", True),
    "utf-16 be, mark cut off": (SCRIPT.encode("utf-16-be"), SCRIPT, "utf-16-be", "lf", True),
    "latin-1": (UMLAUT.encode("latin-1"), UMLAUT, "latin-1", "lf", True),
    "latin-1, mostly accents": ("éàü ßö".encode("latin-1"), "éàü ßö", "latin-1", "lf", True),
    "quotes of Windows": (
        "DESCR(\u2018Größe\u2019) \u2013".encode("cp1252"),
        "DESCR(\u2018Größe\u2019) \u2013",
        "cp1252",
        "lf",
        True,
    ),
    "not all of it Windows-1252": (b"\x91\x81", "\x91\x81", "latin-1", "lf", True),
    "z/OS UNIX": (encode_1047(SCRIPT.replace("\n", "\x85")), SCRIPT, "cp1047", "nel", True),
    "EBCDIC with line feeds": (encode_1047(SCRIPT), SCRIPT, "cp1047", "lf", True),
    "cp037 by its brackets": (
        SCRIPT.replace("payments", "[a]").replace("\n", "\x85").encode("cp037"),
        SCRIPT.replace("payments", "[a]"),
        "cp037",
        "nel",
        True,
    ),
    "EBCDIC with both": (b"\xc1\x25\x40\xc2\x15", "A\x85 B\n", "cp1047", "nel", True),
    "card images": (
        _cards(SCRIPT),
        "".join(line.ljust(80) + "\n" for line in SCRIPT.splitlines()),
        "cp1047",
        "records-80",
        True,
    ),
    "a NUL in ASCII": (b"A\0B C\n", "A\0B C\n", "utf-8", "lf", False),
}


@pytest.mark.parametrize("name", CASES)
def test_decodes(name: str) -> None:
    data, text, encoding, line_ends, assumed = CASES[name]
    decoded = decode(data)
    assert decoded == Decoded(text, encoding, line_ends, assumed)  # type: ignore[arg-type]
    assert encode(decoded) == data


@pytest.mark.parametrize(
    ("hint", "data", "text", "encoding"),
    [
        ("utf-8", UMLAUT.encode(), UMLAUT, "utf-8"),
        ("UTF-8", codecs.BOM_UTF8 + b"x", "x", "utf-8-bom"),
        ("utf-16", SCRIPT.encode("utf-16"), SCRIPT, "utf-16-le-bom"),
        ("utf-16", "ΑΒΓ".encode("utf-16-le"), "ΑΒΓ", "utf-16-le"),
        ("latin1", UMLAUT.encode(), UMLAUT.encode().decode("latin-1"), "latin-1"),
        ("cp1252", "€".encode("cp1252"), "€", "cp1252"),
        ("IBM-1047", encode_1047("[x]"), "[x]", "cp1047"),
        ("1047", encode_1047("[x]"), "[x]", "cp1047"),
        ("IBM037", "[x]".encode("cp037"), "[x]", "cp037"),
        ("cp273", "Größe\x85".encode("cp273"), "Größe\n", "cp273"),
    ],
)
def test_a_hint_counts(hint: str, data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data, encoding=hint)
    assert (decoded.text, decoded.encoding, decoded.assumed) == (text, encoding, False)
    assert encode(decoded) == data


def test_a_hint_that_does_not_fit_is_not_believed() -> None:
    decoded = decode(UMLAUT.encode("latin-1"), encoding="utf-8")
    assert (decoded.text, decoded.encoding, decoded.assumed) == (UMLAUT, "latin-1", True)
    assert decode(b"abc", encoding="utf-16").assumed


@pytest.mark.parametrize("hint", ["utf-7", "ebcdic", "rot13", "zip", ""])
def test_an_unknown_hint_names_the_known_ones(hint: str) -> None:
    with pytest.raises(ValueError, match="use one of utf-8, utf-16"):
        decode(b"", encoding=hint)


# What text files are made of, so that every branch is met, and any bytes at all.
EBCDIC = st.lists(
    st.sampled_from([b"\x40", b"\x15", b"\x25", b"\x0d", b"\xc1\xd3\xe3", b"\x4d\x7d\xad\xbb\xf1"])
).map(b"".join)
ASCII = st.lists(
    st.sampled_from([b"\r", b"\n", b"A B", b"\0", b"\xe9", "é".encode(), b"\xff\xfe", b"\xfe\xff"])
).map(b"".join)
CARDS = st.integers(1, 4).map(lambda count: b"\xc1\x40" * 40 * count)
UTF16 = st.text().map(lambda text: text.encode("utf-16-le", "surrogatepass"))
BYTES = st.one_of(st.binary(), EBCDIC, ASCII, CARDS, UTF16, UTF16.map(lambda data: data + b"\0"))
MARKS = st.sampled_from([b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])


@pytest.mark.slow
@settings(max_examples=500)
@given(MARKS, BYTES, st.sampled_from([None, *ENCODINGS]))
def test_encode_undoes_decode(mark: bytes, body: bytes, hint: str | None) -> None:
    decoded = decode(mark + body, encoding=hint)
    assert encode(decoded) == mark + body


@given(BYTES)
def test_lines_end_in_line_feeds(data: bytes) -> None:
    text = decode(data).text
    assert "\r" not in text or "\n" in text


def test_code_page_1047_is_what_iconv_says() -> None:
    try:
        run = subprocess.run(
            ["iconv", "-f", "IBM1047", "-t", "UTF-8"],
            input=bytes(range(256)),
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no iconv with IBM1047 on this machine")
    assert run.stdout.decode() == cp1047()


@pytest.mark.growth
def test_no_line_of_common_text_is_looked_at_by_itself() -> None:
    data = SCRIPT.encode()

    def work(times: int) -> object:
        return decode(data * times)

    assert steps(lambda: work(40_000)) == steps(lambda: work(10_000))
    assert is_linear_in_time(work, 10_000)
