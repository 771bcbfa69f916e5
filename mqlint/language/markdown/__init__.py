"""Documents of Markdown, whose code blocks and lines hold commands of MQ."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.language.script.unread.mentions import SETS_MQ, has_mqsc, mentions

ENDINGS = frozenset("md markdown mdx adoc asciidoc rst".split())


def _is_about_mq(sample: Sample) -> bool:
    from mqlint.language.notes.reader import holds_command  # here, as few files are documents

    text = sample.text
    if mentions(text) or has_mqsc(text) or SETS_MQ.search(text) is not None:
        return True
    return holds_command(text)


MARKDOWN = Language(
    name="markdown",
    signs=(Sign(300, ENDINGS, looks_like=_is_about_mq, when_named=True),),
    reader="mqlint.language.markdown.reader:read",
    general=False,
)
LANGUAGES = (MARKDOWN,)
