/** The series of a text in the format of Prometheus, `name{labels}` to value. */
export function seriesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Those of the service, without those of the process. */
export function ownSeriesOf(text: string): ReadonlyMap<string, number> {
  return new Map([...seriesOf(text)].filter(([name]) => name.startsWith('toolkit_')));
}
