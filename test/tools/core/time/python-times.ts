import { python } from '../../../support/python.ts';

const preamble = [
  'from datetime import date, datetime, timedelta, timezone',
  'from zoneinfo import ZoneInfo',
  'utc = timezone.utc',
  // As the tools write it: milliseconds, and Z for UTC.
  'iso = lambda t: t.isoformat(timespec="milliseconds").replace("+00:00", "Z" if t.tzinfo is utc else "+00:00")',
].join('\n');

/** Runs a Python program about times; see `python`. */
export function pythonTimes<Result = unknown>(program: string, given: unknown = null): Result {
  return python(`${preamble}\n${program}`, given);
}

/** Zones with clocks that change in every way: by an hour, half of one, two, a whole day, in the other half of the year, around Ramadan. */
export const zones = [
  ...[
    'Europe/Berlin',
    'Europe/London',
    'Europe/Dublin',
    'America/New_York',
    'America/St_Johns',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
  ],
  ...['Pacific/Apia', 'Pacific/Chatham', 'Asia/Tehran', 'Asia/Kathmandu', 'Asia/Pyongyang', 'Africa/Casablanca', 'Antarctica/Troll'],
];

/** Local times at every half hour around each change of the clocks from 2016 to 2021, by zone, and what each is in UTC. */
export function timesAroundChanges(): readonly { readonly zone: string; readonly local: string; readonly utc: string }[] {
  return pythonTimes(
    [
      'found = []',
      'for name in given:',
      '    zone = ZoneInfo(name)',
      '    offset = lambda t: t.astimezone(zone).utcoffset()',
      '    day = datetime(2016, 1, 1, tzinfo=utc)',
      '    while day.year < 2022:',
      '        following = day + timedelta(days=1)',
      '        if offset(day) != offset(following):',
      '            low, high = day, following',
      '            while high - low > timedelta(minutes=1):',
      '                middle = low + (high - low) / 2',
      '                low, high = (middle, high) if offset(middle) == offset(day) else (low, middle)',
      '            change = high.replace(second=0, microsecond=0)',
      '            for step in range(-6, 7):',
      '                local = (change + offset(day) + timedelta(minutes=30 * step)).replace(tzinfo=None)',
      '                found.append({"zone": name, "local": local.isoformat(), "utc": iso(local.replace(tzinfo=zone).astimezone(utc))})',
      '        day = following',
      'result = found',
    ].join('\n'),
    zones,
  );
}
