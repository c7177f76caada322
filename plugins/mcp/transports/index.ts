import { http } from './http/index.ts';
import { stdio } from './stdio/index.ts';
import type { Transport } from './transport.ts';

/** Transports by the value of the option `transport`. A new one is a folder beside these two and a line here. */
export const transports = { stdio, http } satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof transports;

export const transportNames = Object.keys(transports) as readonly TransportName[];

export const defaultTransport: TransportName = 'stdio';

/** `A | B` as `A & B`. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void ? All : never;

export type TransportOptions = Intersection<(typeof transports)[TransportName]['options']>;

/** The options of all transports, for the schema of the plugin. */
export const transportOptions: TransportOptions = Object.assign({}, ...Object.values(transports).map(({ options }) => options));

/** Returns true when a server with these options, which may be unchecked, writes its messages to standard output. */
export function ownsStdout({ transport = defaultTransport }: { readonly transport?: TransportName }): boolean {
  return (transports[transport] ?? transports[defaultTransport]).ownsStdout;
}
