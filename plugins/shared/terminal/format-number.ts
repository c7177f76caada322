/** Formats a number with thousands separators: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

export function toolCount(tools: number): string {
  return `${formatNumber(tools)} ${tools === 1 ? 'tool' : 'tools'}`;
}
