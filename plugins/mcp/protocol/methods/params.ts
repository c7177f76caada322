import Type from 'typebox';
import { metaKeys } from '../clients/envelope.ts';
import { logLevels } from '../log-levels.ts';
import { paramsOf } from './method.ts';

const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const AnyObject = Type.Object({});
const OptionalObject = Type.Optional(AnyObject);

/** Texts by name. A `Type.Record` would not check names with a line break. */
export const Texts = Type.Object({}, { additionalProperties: Type.String() });

/** Objects by name. */
const Objects = Type.Optional(Type.Object({}, { additionalProperties: AnyObject }));

/** Parameters of `prompts/get`. */
export const GetPromptParams = paramsOf({ name: Type.String(), arguments: Type.Optional(Texts) });

/** Parameters of `completion/complete`. */
export const CompleteParams = paramsOf({
  ref: Type.Union([
    Type.Object({ type: Type.Literal('ref/prompt'), name: Type.String() }),
    Type.Object({ type: Type.Literal('ref/resource'), uri: Type.String() }),
  ]),
  argument: Type.Object({ name: Type.String(), value: Type.String() }),
  context: Type.Optional(Type.Object({ arguments: Type.Optional(Texts) })),
});

/** Name and version of a program, and how to show it. */
const Implementation = Type.Object({
  name: Type.String(),
  version: Type.String(),
  title: Text,
  description: Text,
  websiteUrl: Text,
  icons: Type.Optional(
    Type.Array(
      Type.Object({
        src: Type.String(),
        mimeType: Text,
        sizes: Type.Optional(Type.Array(Type.String())),
        theme: Type.Optional(Type.Enum(['light', 'dark'])),
      }),
    ),
  ),
});

/** Capabilities of a client in every revision. */
const Capabilities = Type.Object({
  experimental: Objects,
  sampling: Type.Optional(Type.Object({ context: OptionalObject, tools: OptionalObject })),
  elicitation: Type.Optional(Type.Object({ form: Type.Optional(Type.Object({ applyDefaults: Flag })), url: OptionalObject })),
  roots: Type.Optional(Type.Object({ listChanged: Flag })),
  extensions: Objects,
});

/** Parameters of `initialize` (MCP 2025-11-25, Lifecycle). */
export const InitializeParams = paramsOf({ protocolVersion: Type.String(), capabilities: Capabilities, clientInfo: Implementation });

/** `_meta` of a request without a session, which describes its client (MCP 2026-07-28, Base Protocol, Metadata). */
export const RequestEnvelope = Type.Object({
  [metaKeys.version]: Type.String(),
  [metaKeys.capabilities]: Capabilities,
  [metaKeys.client]: Type.Optional(Implementation),
  [metaKeys.logLevel]: Type.Optional(Type.Enum([...logLevels])),
});
