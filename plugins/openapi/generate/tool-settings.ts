import { isPlainObject, type JsonObject, riskLevels } from '../../../kernel/index.ts';
import { plainText } from './texts.ts';

/** Settings of one operation under `x-toolkit`. */
export interface ToolSettings {
  readonly isExcluded: boolean;
  /** Keys that replace or join those of the definition. */
  readonly keys: JsonObject;
  readonly notes: readonly string[];
}

/** Keys of a definition that the overlay of an operator may set. */
const overlayKeys = [
  'name',
  'description',
  'risk',
  'requires_approval',
  'paginate',
  'poll',
  'select',
  'error_when',
  'output_check',
  'output_headers',
  'idempotency',
  'retry',
  'cache',
  'long',
  'tags',
  'intents',
  'listed',
  'examples',
  'annotations',
] as const;

const leaveOutKeys = ['exclude', 'hidden'];

/** Reads what the operator's overlay says of an operation. An unknown key is a note. */
export function overlaySettingsOf(settings: unknown): ToolSettings {
  if (settings === undefined) return none;
  if (!isPlainObject(settings)) return { ...none, notes: ['"x-toolkit" of the overlay has no effect: expected an object'] };
  const known = Object.entries(settings).filter(([key]) => (overlayKeys as readonly string[]).includes(key));
  const unknown = Object.keys(settings).filter((key) => !(overlayKeys as readonly string[]).includes(key) && !leaveOutKeys.includes(key));
  const notes = unknown.map(
    (key) => `"x-toolkit" of the overlay has the unknown key "${plainText(key, 40)}": expected one of ${overlayKeys.join(', ')}, exclude`,
  );
  return { isExcluded: isExcluded(settings), keys: Object.fromEntries(known) as JsonObject, notes };
}

/** Reads what the document itself says of an operation. It can only tighten: a higher risk, an approval, or no tool. */
export function ownSettingsOf(settings: unknown, { risk, isGated }: { readonly risk: string; readonly isGated: boolean }): ToolSettings {
  if (!isPlainObject(settings)) return none;
  const { risk: wanted, requires_approval: gate } = settings;
  const levels: readonly string[] = riskLevels;
  const isRaised = typeof wanted === 'string' && levels.indexOf(wanted) > levels.indexOf(risk);
  const isLower = typeof wanted === 'string' && levels.includes(wanted) && levels.indexOf(wanted) < levels.indexOf(risk);
  const opens = isLower || (gate === false && isGated);
  const others = Object.keys(settings).some((key) => !['risk', 'requires_approval', ...leaveOutKeys].includes(key));
  return {
    isExcluded: isExcluded(settings),
    keys: { ...(isRaised ? { risk: wanted } : {}), ...(gate === true ? { requires_approval: true } : {}) },
    notes: [
      ...(opens ? ['"x-toolkit" of the document asks for less caution, which only an overlay can give'] : []),
      ...(others
        ? ['"x-toolkit" of the document has other keys than risk, requires_approval and exclude, which only an overlay can set']
        : []),
    ],
  };
}

const none: ToolSettings = { isExcluded: false, keys: {}, notes: [] };

function isExcluded(settings: Readonly<Record<string, unknown>>): boolean {
  return leaveOutKeys.some((key) => settings[key] === true);
}
