import type { NewServer } from '../../api/answers.js';

/** The state of the form, still as text. */
export interface ServerDraft {
  readonly name: string;
  readonly url: string;
  readonly transport: NonNullable<NewServer['transport']>;
  readonly approval: NonNullable<NewServer['approval']>;
  readonly credential: 'none' | 'bearer' | 'header';
  readonly headerName: string;
  readonly secret: string;
}

export const SERVER_DRAFT: ServerDraft = {
  name: '',
  url: '',
  transport: 'auto',
  approval: 'first-use',
  credential: 'none',
  headerName: '',
  secret: '',
};

const credentialOf = ({ credential, headerName, secret }: ServerDraft): Pick<NewServer, 'credential'> => {
  if (credential === 'none') return {};
  if (credential === 'bearer') return { credential: { kind: 'bearer', value: secret.trim() } };
  return { credential: { kind: 'header', name: headerName.trim(), value: secret.trim() } };
};

/** The request body. The server validates it and names the field to correct. */
export const newServerOf = (draft: ServerDraft): NewServer => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  transport: draft.transport,
  approval: draft.approval,
  ...credentialOf(draft),
});
