/** URI templates (RFC 6570) as the official SDK matches them. */
export { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
