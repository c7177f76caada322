import { type JsonObject, readJson, ToolkitError } from '../../../kernel/index.ts';
import { strictUtf8 } from '../../../plugins/shared/text/utf8.ts';

export interface JwtParts {
  /** The token without white space around it and without `Bearer`. */
  readonly token: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  /** `exp` of the token, in seconds since 1970. Undefined when it is no number. */
  readonly expiresAtSeconds: number | undefined;
}

/**
 * Reads a signed JSON Web Token (RFC 7519 in the compact form of RFC 7515) without checking its signature. Throws INVALID_PARAMETERS for
 * anything else. Integers beyond 2^53 become texts of their digits. No message shows a part of the token, because it may grant access.
 */
export async function readToken(text: string): Promise<JwtParts> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  const token = text.trim().replace(/^Bearer\s+/i, '');
  const parts = token.split('.');
  if (parts.length === 5) throw noToken('it has five parts and is encrypted (JWE): its content cannot be read without the key');
  if (parts.length !== 3) throw noToken(`expected three parts with dots between them, received ${parts.length}`);
  if (!parts.every((part) => /^[\w-]*$/.test(part))) throw noToken('expected base64url (A-Z, a-z, 0-9, - and _) in each of its parts');
  readPart('first part (header)', () => decodeProtectedHeader(token));
  const { exp } = readPart('second part (payload)', () => decodeJwt(token));
  return {
    token,
    header: readPart('first part (header)', () => exactPart(parts[0])),
    payload: readPart('second part (payload)', () => exactPart(parts[1])),
    expiresAtSeconds: typeof exp === 'number' ? exp : undefined,
  };
}

/** Parses a part again, because the library rounds integers. */
function exactPart(part = ''): JsonObject {
  return readJson(strictUtf8(Buffer.from(part, 'base64url')) ?? '') as JsonObject;
}

function readPart(part: string, read: () => unknown): JsonObject {
  try {
    return read() as JsonObject;
  } catch {
    throw noToken(`its ${part} is no base64url of a JSON object`);
  }
}

function noToken(message: string): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "token" is no JSON Web Token: ${message}. Give the whole token, such as eyJ….eyJ….sig, and nothing around it.`,
    { issues: [{ path: 'token', message }] },
  );
}
