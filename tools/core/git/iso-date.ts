/** Formats a time of git, seconds since 1970 and an offset such as `+0530`, in ISO 8601; null for an invalid time. */
export function isoDate(seconds: string, offset: string): string | null {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d)(\d\d)$/.exec(offset) ?? [];
  if (sign === undefined || !/^\d+$/.test(seconds)) return null;
  const shiftMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = new Date(Number(seconds) * 1000 + shiftMs);
  return Number.isNaN(local.getTime()) ? null : `${local.toISOString().slice(0, -5)}${sign}${hours}:${minutes}`;
}
