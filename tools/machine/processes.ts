// How much processor time the programs outside a run use. Their work makes a bar on time meaningless. Reads /proc, so it knows this
// only on Linux.
import { readdirSync, readFileSync } from 'node:fs';

export type Process = {
  readonly id: number;
  readonly parentId: number;
  readonly groupId: number;
  readonly sessionId: number;
  readonly name: string;
  /** Since the machine started: together with the id it names a process for good. */
  readonly startedTicks: number;
  /** Processor time of the process itself, and of the ended children that it has waited for. */
  readonly usedTicks: number;
  readonly endedTicks: number;
};

/** They run for all, and work for the run: its queries are its own load, and so is what they start (an archive command). */
const SERVING: readonly string[] = ['postgres', 'redis-server'];
/** The parent of the kernel's threads, which work for whoever reads and writes: they count as nobody's. */
const KERNEL = 'kthreadd';
/** Adopts every process whose parent has ended, the run's own too: what it waited for says nothing. */
const INIT_ID = 1;

/** From the text of /proc/<id>/stat; undefined if it is not one. */
export function readProcess(text: string): Process | undefined {
  // The name is in parentheses and may have some of its own.
  const [, id, name, rest = ''] = /^(\d+) \((.*)\) ([^)]*)$/s.exec(text) ?? [];
  if (id === undefined || name === undefined) return undefined;
  const fields = rest.split(' ').map(Number);
  const at = (place: number) => fields[place] ?? 0;
  return {
    ...{ id: Number(id), name, parentId: at(1), groupId: at(2), sessionId: at(3) },
    ...{ usedTicks: at(11) + at(12), endedTicks: at(13) + at(14), startedTicks: at(19) },
  };
}

/** Every process of the machine that this one can see; none where there is no /proc. */
export function listProcesses(): Process[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          return readProcess(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        } catch {
          // It has ended in the meantime.
          return [];
        }
      });
  } catch {
    return [];
  }
}

/** The process and everything that it started and that still has its parents. */
export function descendantsOf(rootId: number, processes: readonly Process[]): Process[] {
  const parents = new Map(processes.map(({ id, parentId }) => [id, parentId]));
  const isBelow = (id: number | undefined): boolean =>
    id !== undefined && (id === rootId || (id > INIT_ID && isBelow(parents.get(id))));
  return processes.filter(({ id }) => isBelow(id));
}

export type ForeignCount = {
  /** Counts what was used since the last look; the first look only remembers. */
  look(processes: readonly Process[]): void;
  /** Processor time of programs outside the run, between the first look and the last. */
  ticks(): number;
};

/**
 * The run is the process `rootId` and everything below it. What lost its parents still belongs to it: it was seen before, or it is in
 * a group or session that a process of the run leads. The group of `rootId` itself counts only if it leads it, because a shell puts
 * other commands into the same one.
 */
export function countForeign(rootId: number): ForeignCount {
  /** Processes of the run, by id, with their start; also those that have ended. */
  const own = new Map<number, number>();
  let before = new Map<number, Process & { readonly isForeign: boolean }>();
  let total = 0;

  function classify(processes: readonly Process[]): typeof before {
    for (const { id, startedTicks } of descendantsOf(rootId, processes)) own.set(id, startedTicks);
    const byId = new Map(processes.map((each) => [each.id, each]));
    const isServing = (each: Process | undefined): boolean =>
      each !== undefined && (SERVING.includes(each.name) || isServing(byId.get(each.parentId)));
    const kernelId = processes.find(({ name }) => name === KERNEL)?.id;
    const isForeign = (each: Process) =>
      own.get(each.id) !== each.startedTicks &&
      !(own.has(each.groupId) || own.has(each.sessionId)) &&
      !isServing(each) &&
      !(kernelId !== undefined && (each.id === kernelId || each.parentId === kernelId));
    return new Map(processes.map((each) => [each.id, { ...each, isForeign: isForeign(each) }]));
  }

  return {
    look(processes) {
      const now = classify(processes);
      const last = ({ id, startedTicks }: Process) => {
        const found = before.get(id);
        return found?.startedTicks === startedTicks ? found : undefined;
      };
      let [used, ended] = [0, 0];
      for (const each of now.values()) {
        if (!each.isForeign) continue;
        used += each.usedTicks - (last(each)?.usedTicks ?? 0);
        if (each.id !== INIT_ID) ended += each.endedTicks - (last(each)?.endedTicks ?? 0);
      }
      // The time of an ended process moves to its parent: what was counted while it lived is not counted again.
      for (const each of before.values()) {
        const isGone = now.get(each.id)?.startedTicks !== each.startedTicks;
        if (isGone && each.isForeign) ended -= each.usedTicks + each.endedTicks;
      }
      if (before.size > 0) total += Math.max(0, used) + Math.max(0, ended);
      before = now;
    },
    ticks: () => total,
  };
}
