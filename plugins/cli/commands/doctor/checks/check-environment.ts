import type { Finding } from '../../../../../kernel/index.ts';
import { didYouMean, excerpt, logFormats, logLevels } from '../../../../../kernel/index.ts';

const knownValues = { TOOLKIT_LOG_LEVEL: logLevels, TOOLKIT_LOG_FORMAT: logFormats } as const;

/** Warns about variables with an unknown value: the logger ignores them silently. */
export function checkEnvironment(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return Object.entries(knownValues).flatMap(([name, values]): Finding[] => {
    const value = env[name]?.toLowerCase();
    if (value === undefined || value === '' || values.some((own) => own === value)) return [];
    const message = `${name} is "${excerpt(value, 60)}", which has no meaning: expected one of ${values.join(', ')}`;
    return [{ check: 'Logger', state: 'warning', message, hint: `Correct the variable.${didYouMean(value, values)}` }];
  });
}
