import type { DiscoverSink } from '../../../../kernel/index.ts';

/** Counts the definitions that are added to its sinks, valid or not. */
export class DefinitionCounter {
  #tools = 0;
  #providers = 0;
  #skills = 0;
  #problems = 0;

  get counts(): { readonly tools: number; readonly providers: number; readonly skills: number } {
    return { tools: this.#tools, providers: this.#providers, skills: this.#skills };
  }

  /** Number of all additions, including files that could not be read or parsed. */
  get total(): number {
    return this.#tools + this.#providers + this.#skills + this.#problems;
  }

  counting(sink: DiscoverSink): DiscoverSink {
    return {
      ...sink,
      addTool: (...given) => {
        // Companion tools go with the results of others. They are not definitions of the user.
        if (given[1]?.isCompanion !== true) this.#tools++;
        sink.addTool(...given);
      },
      addProvider: (...given) => {
        // Presets come with the program.
        if (given[1]?.isPreset !== true) this.#providers++;
        sink.addProvider(...given);
      },
      addCached: (kept, ...given) => {
        if (kept.kind === 'tool') this.#tools++;
        else this.#providers++;
        sink.addCached(kept, ...given);
      },
      addSkill: (...given) => {
        this.#skills++;
        sink.addSkill(...given);
      },
      addProblem: (problem) => {
        this.#problems++;
        sink.addProblem(problem);
      },
    };
  }
}
