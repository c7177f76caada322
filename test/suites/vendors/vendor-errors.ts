/** The body of a failure status in the form of its vendor. */
export interface VendorError {
  readonly contentType: string;
  readonly body: unknown;
}

type ErrorBody = (status: number, message: string, reason?: string) => unknown;

/** The vendors' own words for a status. */
const words: Readonly<Record<'google' | 'reason' | 'notion' | 'hubspot', Readonly<Record<number, string>>>> = {
  google: {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    409: 'ABORTED',
    429: 'RESOURCE_EXHAUSTED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  },
  reason: {
    401: 'authError',
    403: 'insufficientPermissions',
    404: 'notFound',
    409: 'aborted',
    429: 'rateLimitExceeded',
    500: 'backendError',
    503: 'backendError',
  },
  notion: {
    401: 'unauthorized',
    403: 'restricted_resource',
    404: 'object_not_found',
    409: 'conflict_error',
    429: 'rate_limited',
    500: 'internal_server_error',
    503: 'service_unavailable',
  },
  hubspot: {
    401: 'INVALID_AUTHENTICATION',
    403: 'MISSING_SCOPES',
    404: 'OBJECT_NOT_FOUND',
    409: 'CONFLICT',
    429: 'RATE_LIMITS',
  },
};

const bodies: Readonly<Record<string, ErrorBody>> = {
  slack: (_, message) => ({ ok: false, error: message }),
  github: (status, message) => ({
    message,
    ...(status === 422 ? { errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] } : {}),
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  }),
  gmail: (status, message, reason = words.reason[status] ?? 'invalidArgument') => ({
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason }],
      status: words.google[status] ?? 'UNKNOWN',
    },
  }),
  notion: (status, message) => ({
    object: 'error',
    status,
    code: words.notion[status] ?? 'validation_error',
    message,
    request_id: '5f6a7b8c-1d2e',
  }),
  twilio: (status, message) => ({
    code: 20000 + status,
    message,
    more_info: `https://www.twilio.com/docs/errors/${20000 + status}`,
    status,
  }),
  hubspot: (status, message) => ({
    status: 'error',
    message,
    correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf',
    category: words.hubspot[status] ?? 'VALIDATION_ERROR',
  }),
  mailchimp: (status, message) => ({
    type: 'https://mailchimp.com/developer/marketing/docs/errors/',
    title: 'Request Refused',
    status,
    detail: message,
    instance: '995c5cb0-3280-4a6e-808b-3b096d0bb219',
  }),
};

/** `reason` is the vendor's own code, where another one than usual is meant. */
export function vendorError(provider: string, status: number, message: string, reason?: string): VendorError {
  const contentType = provider === 'mailchimp' ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8';
  return { contentType, body: bodies[provider]?.(status, message, reason) };
}
