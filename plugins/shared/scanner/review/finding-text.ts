import { terminalText } from '../../text/visible-text.ts';
import type { Finding } from '../finding.ts';

/** Returns a sentence about a finding without a full stop: what, where, why and the passage. Safe to print, at most about 500 characters. */
export function findingText({ item, path, message, excerpt }: Finding): string {
  const place = path === '' ? '' : ` at ${terminalText(path)}`;
  return `${item}${place}: ${message} It reads: "${excerpt}"`;
}
