import { defineFact } from '../../../kernel/index.ts';

/** Stated by the plugin that keeps requests of tools out of private networks. */
export const outboundGuard = defineFact<true>('guard of outbound requests');
