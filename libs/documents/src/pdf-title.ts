/** Office programs print their name before that of the file. */
const OFFICE_NAME = /^Microsoft (?:Office )?(?:Word|PowerPoint|Excel|Publisher|Visio|Project|Outlook) - /i;

/** What programs write for a document that nobody has named. */
const PLACEHOLDER =
  /^(?:\(?untitled\)?(?: (?:document|presentation|spreadsheet))?[ -]?\d*|(?:document|presentation|book)\d+|powerpoint presentation|about:blank)$/i;

/** The title that a person gave to a PDF, if anybody did: a program's own is worth less than the file's name. */
export const givenTitle = (title: string): string | undefined => {
  const named = title.trim();
  const given = OFFICE_NAME.test(named) ? named.replace(OFFICE_NAME, '').replace(/\.[a-z]{3,4}$/i, '') : named;
  return PLACEHOLDER.test(given.trim()) ? undefined : given;
};
