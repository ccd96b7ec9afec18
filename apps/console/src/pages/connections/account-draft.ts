import type { Account, Connector, NewAccount, Retention } from '../../api/answers.js';

/** The state of the form; a list setting has one entry per line. */
export interface AccountDraft {
  readonly label: string;
  readonly folderId: string;
  readonly retention: Retention;
  readonly hydrate: boolean;
  readonly confirm: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

export const draftFor = ({ name, retention }: Connector, folderId: string): AccountDraft => ({
  label: name,
  folderId,
  retention,
  hydrate: true,
  confirm: false,
  settings: {},
});

export const draftOf = ({ label, folderId, retention, hydrate, confirm }: Account): AccountDraft => ({
  label,
  folderId,
  retention,
  hydrate,
  confirm: confirm === 'always',
  settings: {},
});

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const settingsOf = ({ settings }: Connector, given: AccountDraft['settings']): NonNullable<NewAccount['settings']> =>
  Object.fromEntries(
    settings.map(({ name, isList }) => {
      const text = given[name] ?? '';
      return [name, isList ? linesOf(text) : text.trim()];
    }),
  );

/** The fields of a connected account that can be changed. */
export const changeOf = ({ label, folderId, retention, hydrate, confirm }: AccountDraft) =>
  ({ label: label.trim(), folderId, retention, hydrate, confirm: confirm ? 'always' : 'never' }) as const;

/** The request body. The server validates it and names the field to correct. */
export const newAccountOf = (connector: Connector, draft: AccountDraft): NewAccount => ({
  connectorId: connector.id,
  ...changeOf(draft),
  settings: settingsOf(connector, draft.settings),
});
