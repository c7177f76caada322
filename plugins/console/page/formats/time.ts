const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Returns the distance in words: `just now`, `4 min ago`, `in 2 h`. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 10 * secondMs) return at > now ? 'in a moment' : 'just now';
  const words = roughDuration(distance);
  return at > now ? `in ${words}` : `${words} ago`;
}

/** Returns the largest fitting unit: `42 s`, `4 min`, `2 h`, `3 days`. */
export function roughDuration(durationMs: number): string {
  if (durationMs < minuteMs) return `${Math.floor(durationMs / secondMs)} s`;
  if (durationMs < hourMs) return `${Math.floor(durationMs / minuteMs)} min`;
  if (durationMs < 2 * dayMs) return `${Math.floor(durationMs / hourMs)} h`;
  return `${Math.floor(durationMs / dayMs)} days`;
}

/** Returns the duration of a call or stage: `0 ms`, `340 ms`, `2.4 s`, `1 min 5 s`. */
export function preciseDuration(durationMs: number): string {
  if (durationMs < secondMs) return `${Math.round(durationMs)} ms`;
  if (durationMs < minuteMs) return `${(durationMs / secondMs).toFixed(1)} s`;
  const minutes = Math.floor(durationMs / minuteMs);
  return `${minutes} min ${Math.floor((durationMs % minuteMs) / secondMs)} s`;
}

/** Returns the time that is left: `4:09`, `1 h 20 min`, `over`. */
export function timeLeft(until: number, now: number): string {
  const remainingMs = until - now;
  if (remainingMs <= 0) return 'over';
  if (remainingMs >= dayMs * 2) return roughDuration(remainingMs);
  if (remainingMs >= hourMs) return `${Math.floor(remainingMs / hourMs)} h ${Math.floor((remainingMs % hourMs) / minuteMs)} min`;
  const seconds = Math.floor((remainingMs % minuteMs) / secondMs);
  return `${Math.floor(remainingMs / minuteMs)}:${String(seconds).padStart(2, '0')}`;
}

/** Returns date and time with seconds in the local time zone, sortable: `2026-11-30 15:04:05`. */
export function exactTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
