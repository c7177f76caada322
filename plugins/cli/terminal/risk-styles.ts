import type { Risk } from '../../../kernel/index.ts';
import type { Style } from '../../shared/terminal/paint.ts';

/** Style of each risk. */
export const riskStyles: Readonly<Record<Risk, Style>> = { low: 'good', medium: 'warning', high: 'bad' };
