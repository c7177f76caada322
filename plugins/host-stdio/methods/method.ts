import Type, { type Static, type TProperties } from 'typebox';
import { checkValue } from '../../../kernel/index.ts';
import type { Parameters } from '../../shared/json-rpc/message.ts';
import type { OpenHost } from '../open-host.ts';
import { invalidParameters } from '../peer/errors.ts';
import type { HostRequest } from '../peer/host-peer.ts';

export interface Method {
  /** True when the result is sent without masking: the kernel has masked it already, or the client asked for the secret itself. @default false */
  readonly isMasked: boolean;
  /** Returns the result. Throws RpcError for invalid parameters. */
  run(name: string, params: Parameters, host: OpenHost, request: HostRequest): unknown;
}

/** Returns a method of the protocol from the schemas of its parameters. Other parameters are refused. */
export function method<P extends TProperties>(
  properties: P,
  run: (params: Static<Type.TObject<P>>, host: OpenHost, request: HostRequest) => unknown,
  { isMasked = false }: { readonly isMasked?: boolean } = {},
): Method {
  const schema = Type.Object(properties, { additionalProperties: false });
  return {
    isMasked,
    run: (name, params, host, request) => {
      const issues = checkValue(schema, params);
      if (issues.length > 0) throw invalidParameters(name, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
      return run(params as Static<Type.TObject<P>>, host, request);
    },
  };
}
