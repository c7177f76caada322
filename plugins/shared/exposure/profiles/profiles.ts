import {
  enumsAreTexts,
  formatsAre,
  listsHaveItems,
  membersAre,
  nameIs,
  noBooleans,
  oneType,
  type Profile,
  rootIsObject,
  typed,
  unionsAreAlone,
  without,
} from './profile.ts';

const shortName = '1 to 64 letters (a to z), digits, underscores and dashes';

/**
 * Messages API and Managed Agents. Names: API reference, "tools.custom.name". Root and names of members: from its error responses (400,
 * "input_schema does not support oneOf, allOf, or anyOf at the top level", "Property keys should match pattern"). References, and the same
 * in words: platform.claude.com, Managed Agents, self-hosted sandboxes, seen 2026-09.
 */
const anthropic: Profile = {
  name: 'Anthropic',
  rules: [
    nameIs(/^[a-zA-Z0-9_-]{1,64}$/, shortName),
    rootIsObject(['anyOf', 'oneOf', 'allOf', '$ref']),
    membersAre(/^[a-zA-Z0-9_.-]{1,64}$/, '1 to 64 letters (a to z), digits, underscores, dots and dashes', 'everywhere'),
    without(['$ref'], 'Write the schema out'),
  ],
};

/**
 * Functions that are not strict. Name: API reference, FunctionObject.name. Root: from its error responses (400 "schema must have type
 * 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level", seen 2026-08; "array schema missing items").
 */
const openai: Profile = {
  name: 'OpenAI',
  rules: [nameIs(/^[a-zA-Z0-9_-]{1,64}$/, shortName), rootIsObject(['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']), listsHaveItems],
};

/**
 * Function declarations of the Gemini API and of Vertex AI, whose `Schema` is a subset of OpenAPI 3.0. Fields and types:
 * ai.google.dev/api/caching#Schema, seen 2026-09. Names: Vertex AI reference, FunctionDeclaration. Error responses of both: 400 "schema
 * didn't specify the schema type field", "items: missing field", "enum… (TYPE_STRING)", "only 'enum' and 'date-time' are supported for
 * STRING type", "When using any_of, it must be the only field set".
 */
const gemini: Profile = {
  name: 'Gemini',
  rules: [
    nameIs(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, 'a letter (a to z) or an underscore first, and 64 characters at most'),
    rootIsObject(['anyOf', 'oneOf', 'allOf', 'not', 'const', '$ref']),
    membersAre(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, 'a letter (a to z) or an underscore, and at most 63 of these and digits', 'whole'),
    typed,
    oneType,
    noBooleans,
    listsHaveItems,
    enumsAreTexts,
    formatsAre(['date-time', 'int32', 'int64', 'float', 'double']),
    unionsAreAlone,
    without(['$ref', 'oneOf', 'allOf', 'not', 'const'], 'Write one schema, or "anyOf" with one type each'),
  ],
};

/**
 * Schema checks of the MCP Inspector (`--cli --strict`): modelcontextprotocol/inspector, issue 1005 and pull requests 2121 (2026-08) and
 * 2395 (2026-09). A list of types is only a warning there.
 */
const inspector: Profile = { name: 'the MCP Inspector', rules: [rootIsObject([]), typed, oneType, noBooleans] };

/** Profiles that every listed tool satisfies. */
export const profiles: readonly Profile[] = [anthropic, openai, gemini, inspector];
