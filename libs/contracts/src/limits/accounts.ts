// Accounts of a workspace at outside sources, and what a source names.

export const ACCOUNTS_PER_WORKSPACE_MAX = 100;
export const CONNECTOR_ID_CHARS_MAX = 24;
export const CREDENTIAL_CHARS_MAX = 4_096;
/** The settings of an account. */
export const ACCOUNT_SETTINGS_CHARS_MAX = 65_536;
export const ACCOUNT_URLS_MAX = 1_000;
export const ACCOUNT_PATH_CHARS_MAX = 4_096;
/** A source's name for a document, and for its version. */
export const EXTERNAL_REF_CHARS_MAX = 2_000;
export const EXTERNAL_VERSION_CHARS_MAX = 200;
