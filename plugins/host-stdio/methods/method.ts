import Type, { type Static, type TProperties } from 'typebox';
import { checkValue } from '../../../kernel/index.ts';
import type { OpenHost } from '../open-host.ts';
import type { Incoming } from '../peer/incoming.ts';
import type { Parameters } from '../peer/message.ts';
import { wrongParameters } from '../peer/rpc-error.ts';

export interface Method {
  /** What it gives may hold what is masked elsewhere: the kernel has masked it already, or the client asked for just that. @default false */
  readonly isMasked: boolean;
  /** Gives the result. Throws RpcError for parameters that do not fit. */
  run(name: string, params: Parameters, host: OpenHost, request: Incoming): unknown;
}

/** A method of the protocol, by the schemas of its parameters; it has no others. */
export function method<P extends TProperties>(
  properties: P,
  run: (params: Static<Type.TObject<P>>, host: OpenHost, request: Incoming) => unknown,
  { isMasked = false }: { readonly isMasked?: boolean } = {},
): Method {
  const schema = Type.Object(properties, { additionalProperties: false });
  return {
    isMasked,
    run: (name, params, host, request) => {
      const issues = checkValue(schema, params);
      if (issues.length > 0) throw wrongParameters(name, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
      return run(params as Static<Type.TObject<P>>, host, request);
    },
  };
}
