/**
 * Fetches untrusted pages safely: `fetchPublic` uses https to public addresses only, which are resolved once, checked
 * and pinned, with limits on time and size (ADR 0020). `pinnedFetch` is a `fetch` to one origin by the same rules, or
 * to one that an operator has listed. Rejects other schemes and ports, credentials, cookies, proxies, redirects to
 * another site and unsupported media types. Reads no environment, and puts nothing from a remote site into an error.
 */
export { fetchPublic, type FetchedFile, type FetchOptions } from './fetch-public.js';
export { checkOrigin, pinnedFetch, type FetchPolicy } from './pinned-fetch.js';
export { isPublicAddress, type HostAddress, type ResolveHost } from './public-address.js';
export { publicUrl } from './public-url.js';
export { READABLE_MEDIA_TYPES } from './response.js';
