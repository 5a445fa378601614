// Runs a program in an unpacked image without a container engine: a mount namespace of its own in which every file system is
// read-only, the image's user without any privilege, and no environment but the image's and the given one. Needs root.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { ImageConfig } from './buildah.ts';

/** As the secrets of compose and Kubernetes, each secret is a file there. */
export const SECRETS_FOLDER = '/run/secrets';

/** Each program replaces the one before it, so that a signal reaches the server. */
const ENTER = `
set -e
root=$1 secrets=$2 uid=$3 gid=$4 folder=$5
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mkdir "$root/run/secrets"
mount --bind "$secrets" "$root/run/secrets"
for place in "$root/run/secrets" "$root"; do mount -o remount,bind,ro "$place"; done
mount -o remount,ro "$root/run"
exec setpriv --clear-groups --no-new-privs unshare --root="$root" --wd="$folder" --setgid="$gid" --setuid="$uid" -- "$@"
`;

export type Place = { readonly root: string; readonly secrets: string; readonly config: ImageConfig };
type Environment = Readonly<Record<string, string>>;

function enter({ root, secrets, config }: Place, command: readonly string[], environment: Environment) {
  const [uid = '', gid = uid] = config.User.split(':');
  const own = Object.fromEntries(
    config.Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
  return {
    parameters: ['--mount', 'sh', '-c', ENTER, 'enter', root, secrets, uid, gid, config.WorkingDir, ...command],
    environment: { ...own, ...environment },
  };
}

/** The image's entry point with these parameters, or with its own ones. */
export function startContainer(place: Place, environment: Environment, ...parameters: string[]): ChildProcess {
  const { Entrypoint, Cmd } = place.config;
  const entered = enter(place, [...Entrypoint, ...(parameters.length > 0 ? parameters : Cmd)], environment);
  // Logs go to standard error: with the level "error" they are what a reader of a failed run needs.
  return spawn('unshare', entered.parameters, { env: entered.environment, stdio: ['ignore', 2, 2] });
}

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Any program of the image, until it ends. */
export function runInside(place: Place, environment: Environment, command: readonly string[]): Promise<Ended> {
  const entered = enter(place, command, environment);
  return new Promise((resolve) => {
    execFile('unshare', entered.parameters, { env: entered.environment }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}
