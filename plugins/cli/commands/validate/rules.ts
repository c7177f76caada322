/** Checks beyond those of loading. */
export const rules = {
  'invalid-schema': { severity: 'error', meaning: 'a schema cannot be used: a call would fail in it' },
  'invalid-default': {
    severity: 'error',
    meaning: 'a default does not fit its own parameter, so that a call without the parameter is refused',
  },
  'invalid-example': { severity: 'error', meaning: 'an example does not fit the schema of the parameters or of the output' },
  'short-description': { severity: 'warning', meaning: 'the description of a tool is too short to choose the tool by' },
  'missing-parameter-description': { severity: 'warning', meaning: 'a parameter has no description' },
  'missing-output-schema': { severity: 'warning', meaning: 'a tool does not say what its result looks like' },
  'missing-example': { severity: 'warning', meaning: 'a tool has no example' },
  'refused-schema': { severity: 'warning', meaning: 'a model API refuses a tool with such parameters, and with it all tools of a request' },
  'no-definition': { severity: 'warning', meaning: 'a path that was given holds no definition' },
} as const satisfies Readonly<Record<string, { readonly severity: 'error' | 'warning'; readonly meaning: string }>>;

export type RuleName = keyof typeof rules;

/** Receives a finding about a definition; `pointer` (RFC 6901) is its position there. */
export type ReportRule = (rule: RuleName, pointer: string, message: string) => void;
