import type { FailureCode } from './context.ts';
import { excerpt, Failure } from './failure.ts';
import { positionOf } from './statement-position.ts';

/** An error that the server sent (PostgreSQL documentation, 55.8). */
export interface ServerError extends Error {
  /** SQLSTATE: five characters, the first two are the class (PostgreSQL documentation, appendix A). */
  readonly code: string;
  readonly severity: string;
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly where?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly column?: string;
  readonly dataType?: string;
  readonly constraint?: string;
}

export function isServerError(error: unknown): error is ServerError {
  const { code, severity } = (error ?? {}) as Partial<ServerError>;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && typeof severity === 'string';
}

interface Meaning {
  readonly code: FailureCode;
  readonly retryable?: boolean;
  /** Advice that follows from the state alone. */
  readonly advice?: string;
}

const repeat = 'Another transaction was in the way: the same call may succeed later.';
const lookUp = 'Look up the names in information_schema.columns.';

/** Meanings by SQLSTATE or by class. */
const meanings: Readonly<Record<string, Meaning>> = {
  '42501': { code: 'INSUFFICIENT_SCOPE', advice: 'The role of the service lacks this right; who runs the database can GRANT it.' },
  '3D000': { code: 'NOT_FOUND' },
  '40001': { code: 'EXECUTION_FAILED', retryable: true, advice: repeat },
  '40P01': { code: 'EXECUTION_FAILED', retryable: true, advice: repeat },
  '55P03': { code: 'EXECUTION_FAILED', retryable: true, advice: repeat },
  '25P03': { code: 'TIMEOUT' },
  '25P04': { code: 'TIMEOUT' },
  '57014': { code: 'EXECUTION_FAILED', retryable: true, advice: 'Somebody cancelled it on the server.' },
  '08P01': { code: 'BAD_REQUEST' },
  '25001': { code: 'BAD_REQUEST', advice: 'Every call is a transaction, so this statement cannot be run with this tool.' },
  '42P01': { code: 'BAD_REQUEST', advice: 'Look up the names in information_schema.tables; outside the search path write schema.table.' },
  '42703': { code: 'BAD_REQUEST', advice: lookUp },
  '42883': { code: 'BAD_REQUEST', advice: 'Where a placeholder has the wrong type, cast it, such as $1::date.' },
  '42P18': { code: 'BAD_REQUEST', advice: 'Say the type of the placeholder, such as $1::text.' },
  '22P02': { code: 'BAD_REQUEST', advice: 'Check the value, and the type that its placeholder is cast to.' },
  '08': { code: 'UPSTREAM_UNAVAILABLE' },
  '0A': { code: 'BAD_REQUEST' },
  '21': { code: 'BAD_REQUEST' },
  '22': { code: 'BAD_REQUEST' },
  '25': { code: 'BAD_REQUEST' },
  '26': { code: 'BAD_REQUEST' },
  '28': { code: 'AUTH_FAILED' },
  '2D': { code: 'BAD_REQUEST' },
  '34': { code: 'BAD_REQUEST' },
  '3F': { code: 'BAD_REQUEST' },
  '42': { code: 'BAD_REQUEST' },
  '53': { code: 'UPSTREAM_UNAVAILABLE' },
  '54': { code: 'BAD_REQUEST' },
  '57': { code: 'UPSTREAM_UNAVAILABLE' },
};

/** Converts an error of the server to the failure that the caller gets. With the statement it has line and column. */
export function serverFailure(error: ServerError, sql?: string): Failure {
  const { code, retryable, advice } = meaningOf(error);
  const place = sql === undefined ? undefined : positionOf(sql, Number(error.position));
  const at = place === undefined ? '' : `, line ${place.line}, column ${place.column}`;
  const hint = error.hint === undefined ? '' : ` Hint: ${ended(excerpt(error.hint))}`;
  const message = `PostgreSQL says: ${excerpt(error.message)} (SQLSTATE ${error.code}${at}).${hint}${advice === undefined ? '' : ` ${advice}`}`;
  return new Failure(code, message, { ...(retryable === undefined ? {} : { retryable }), ...detailsOf(error), ...place });
}

/** Returns the details of an error that a program may read. */
export function detailsOf(error: ServerError): Readonly<Record<string, string>> {
  const { detail, hint, where, schema, table, column: columnName, dataType, constraint } = error;
  const texts = { sqlstate: error.code, detail, hint, where, schema, table, columnName, dataType, constraint };
  return Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, excerpt(text)]])));
}

function meaningOf({ code, message }: ServerError): Meaning {
  if (code === '42601' && message.includes('multiple commands')) return { code: 'BAD_REQUEST', advice: 'Give one statement in each call.' };
  return meanings[code] ?? meanings[code.slice(0, 2)] ?? { code: 'EXECUTION_FAILED' };
}

function ended(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
