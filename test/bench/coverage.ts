import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';

/** A source file with the names of its functions that ran. */
export interface CoveredFile {
  readonly file: string;
  readonly functions: readonly string[];
}

/** Added to compiled files by tsx; not in the sources. */
const isAdded = (name: string): boolean => name === '__name';

/** Counts which functions of this project run, by V8's precise coverage of this process. */
export class Coverage {
  readonly #session = new Session();
  readonly #root: string;

  private constructor(root: string) {
    this.#root = pathToFileURL(`${root}/`).href;
    this.#session.connect();
  }

  /** `root`: absolute path of the project's folder. */
  static async start(root: string): Promise<Coverage> {
    const coverage = new Coverage(root);
    await coverage.#session.post('Profiler.enable');
    await coverage.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return coverage;
  }

  /** Returns the files of the project with the functions that ran since the last call, or since the start. */
  async take(): Promise<readonly CoveredFile[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.startsWith(this.#root) && /^(kernel|plugins|tools)\/(?!.*node_modules\/)/.test(url.slice(this.#root.length)))
      .map(({ url, functions }) => ({
        file: url.slice(this.#root.length).replace(/\?.*$/, ''),
        functions: functions
          .filter(({ functionName, ranges: [whole] }) => (whole?.count ?? 0) > 0 && !isAdded(functionName))
          .map(({ functionName }) => functionName || '(anonymous)'),
      }))
      .filter(({ functions }) => functions.length > 0);
  }

  stop(): void {
    this.#session.disconnect();
  }
}
