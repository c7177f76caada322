import type { DateTime, Zone } from 'luxon';

/** Longer than any clock change, shorter than the time between two of them. */
const dayMs = 24 * 60 * 60 * 1000;

export interface ResolvedTime {
  readonly epochMs: number;
  /** `gap`: the clocks skip this time. `overlap`: they show it twice. */
  readonly kind: 'unique' | 'gap' | 'overlap';
}

/**
 * Returns the moment of a local time, which is given as if it were UTC. In a gap the time moves forward by the length of the gap; in an overlap
 * the earlier of the two moments counts (RFC 5545, 3.3.5). luxon promises no rule for overlaps.
 */
export function resolveLocal(localMs: number, zone: Zone): ResolvedTime {
  const atOffset = (offsetMinutes: number): number => Math.round(localMs - offsetMinutes * 60_000);
  const before = atOffset(zone.offset(localMs - dayMs));
  const after = atOffset(zone.offset(localMs + dayMs));
  const shows = (epochMs: number): boolean => atOffset(zone.offset(epochMs)) === epochMs;
  if (before === after || !shows(after)) return { epochMs: before, kind: shows(before) ? 'unique' : 'gap' };
  return shows(before) ? { epochMs: Math.min(before, after), kind: 'overlap' } : { epochMs: after, kind: 'unique' };
}

/** Returns the local time of a moment, as if it were UTC. */
export function localMsOf(time: DateTime): number {
  return time.setZone('utc', { keepLocalTime: true }).toMillis();
}

/** Explains a gap or an overlap in a sentence. Undefined for any other time. */
export function noteOf(localMs: number, { kind }: ResolvedTime, time: DateTime): string | undefined {
  const local = new Date(localMs).toISOString().slice(0, 16).replace('T', ' ');
  if (kind === 'gap')
    return `${local} does not exist in ${time.zoneName}: the clocks go forward there. ${time.toFormat('HH:mm ZZ')} is taken.`;
  if (kind === 'overlap')
    return `${local} comes twice in ${time.zoneName}: the clocks go back there. The first, with ${time.toFormat('ZZ')}, is taken.`;
  return undefined;
}
