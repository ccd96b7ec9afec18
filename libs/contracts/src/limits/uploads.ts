// Files, and the forms that carry them.
import { BODY_BYTES_MAX } from './requests.js';

export const FILE_BYTES_MAX = 20_971_520;
/** The form around a file: its fields, and its total size. */
export const FORM_FIELDS_MAX = 32;
export const FORM_FIELD_BYTES_MAX = 16_384;
export const FORM_BYTES_MAX = FILE_BYTES_MAX + BODY_BYTES_MAX;
/** Memory of a gateway for all uploads in flight. */
export const UPLOADS_HELD_BYTES_MAX = 8 * FILE_BYTES_MAX;
/** The size of a file that an agent attaches to its run. */
export const ATTACHED_FILE_BYTES_MAX = 10_485_760;
