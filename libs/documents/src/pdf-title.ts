/** Office programs put their own name before the file name. */
const OFFICE_NAME = /^Microsoft (?:Office )?(?:Word|PowerPoint|Excel|Publisher|Visio|Project|Outlook) - /i;

/** The titles that programs write for an unnamed document. */
const PLACEHOLDER =
  /^(?:\(?untitled\)?(?: (?:document|presentation|spreadsheet))?[ -]?\d*|(?:document|presentation|book)\d+|powerpoint presentation|about:blank)$/i;

/** The title that a person gave to a PDF, if any. The file name is better than a program's default title. */
export const givenTitle = (title: string): string | undefined => {
  const named = title.trim();
  const given = OFFICE_NAME.test(named) ? named.replace(OFFICE_NAME, '').replace(/\.[a-z]{3,4}$/i, '') : named;
  return PLACEHOLDER.test(given.trim()) ? undefined : given;
};
