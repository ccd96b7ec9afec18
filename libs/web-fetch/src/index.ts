/**
 * Fetching pages of others without becoming their tool: `fetchPublic` speaks https to public addresses only, which are
 * resolved once, checked and pinned, within bounds of time and size (docs/adr/0020).
 * Refuses other schemes and ports, credentials, cookies, proxies, redirects to another site and media types that nobody
 * here can read. Reads no environment, and puts nothing that a remote site said into an error.
 */
export { fetchPublic, type FetchedFile, type FetchOptions } from './fetch-public.js';
export { isPublicAddress, type HostAddress, type ResolveHost } from './public-address.js';
export { publicUrl } from './public-url.js';
export { READABLE_MEDIA_TYPES } from './response.js';
