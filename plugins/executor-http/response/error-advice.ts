import { type ErrorCode, secretsInWords, type Tool } from '../../../kernel/index.ts';

/** Returns the meaning of an error code from a service for the caller of the tool, and what to do. */
export function errorAdvice(code: ErrorCode, tool: Tool, status?: number): string {
  const names = secretsInWords(tool.credentials.filter(({ isSecret }) => isSecret));
  const scopes = tool.definition.authentication?.required_scopes ?? [];
  switch (code) {
    case 'AUTH_FAILED':
      return `the token is invalid or expired${names === '' ? '' : `. Renew ${names}`}`;
    case 'INSUFFICIENT_SCOPE':
      return `the token has insufficient scopes${scopes.length === 0 ? '' : `; the tool needs scope ${scopes.join(', ')}`}`;
    case 'NOT_FOUND':
      return 'it does not exist, or the token may not see it';
    case 'RATE_LIMITED':
      return 'too many requests. Wait before calling again';
    case 'UPSTREAM_UNAVAILABLE':
      return 'the service failed. Try again later';
    case 'TIMEOUT':
      return 'it took the service too long. Try again later, or ask for less';
    case 'EXECUTION_FAILED':
      return 'the service could not do it';
    default:
      if (status === 409) return 'it conflicts with the current state. Read it again, then decide';
      if (status === 423) return 'it is locked for the moment. Try again in a while';
      return 'the request was malformed or refused. Correct the parameters';
  }
}
