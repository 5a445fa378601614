// The files in deploy/ are what operators copy: Kubernetes resources fit their schemas, and no process there has a writable
// root, unlimited memory, or a secret in a variable. Decision: docs/decisions/0246-places-to-run.md.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findUnknownSettings, isSecret, SECRETS, type Setting } from '../server/src/config/settings.ts';
import { isMissing } from './testing/is-missing.ts';

const read = (path: string) => readFileSync(`deploy/${path}`, 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: resources of eleven kinds, whose shapes the models check.
type Resource = any;

const MODELS: readonly Resource[] = [
  ...[Cluster, ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job, Namespace, NetworkPolicy],
  ...[PodDisruptionBudget, Service, ServiceAccount],
];

const resources: readonly Resource[] = readdirSync('deploy/kubernetes')
  .toSorted()
  .flatMap((file) => parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS()));
const nameOf = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;
const ofKind = (...kinds: string[]) => resources.filter(({ kind }) => kinds.includes(kind));
const find = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name);

function findModel({ apiVersion, kind }: Resource): Resource {
  const Model = MODELS.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (!Model) throw new Error(`no model for ${apiVersion} ${kind}`);
  return Model;
}

function validate(resource: Resource): void {
  const Model = findModel(resource);
  new Model(resource).validate();
}

/** Fields that the schema does not know, such as misspelt ones: its compiled form reads by name only those that it knows. */
function findUnknownFields(resource: Resource): string[] {
  const unread = new Set<string>();
  const record = (value: Resource, path: string): Resource => {
    if (Array.isArray(value)) return value.map((each, place) => record(each, `${path}/${place}`));
    if (typeof value !== 'object' || value === null) return value;
    for (const name of Object.keys(value)) unread.add(`${path}/${name}`);
    const inner = Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, record(each, `${path}/${name}`)]),
    );
    const get = (target: object, name: string) => {
      unread.delete(`${path}/${name}`);
      return Reflect.get(target, name);
    };
    return new Proxy(inner, { get } as ProxyHandler<object>);
  };
  findModel(resource).prototype.validate.call(record(resource, ''));
  return [...unread];
}

/** Secrets in the clear, and names that are no settings. */
function findFaults(names: readonly string[]): string[] {
  const clear = names.filter((name) => isSecret(name as Setting));
  return [...clear, ...findUnknownSettings(names).map(({ setting }) => setting)];
}

describe('deploy/kubernetes', () => {
  const workloads = ofKind('Deployment', 'Job');
  const podOf = (workload: Resource) => workload.spec.template.spec;
  const settings = find('ConfigMap', 'trefoil-settings').data;
  const variablesOf = (container: Resource): Record<string, string> => ({
    ...(container.envFrom && settings),
    ...Object.fromEntries((container.env ?? []).map(({ name, value }: Resource) => [name, value])),
  });

  test.each(resources.map((resource) => [nameOf(resource), resource]))('%s fits its schema', (_name, resource) => {
    validate(resource);
    expect(findUnknownFields(resource)).toEqual([]);
    expect(resource.kind === 'Namespace' || resource.metadata.namespace).toBeTruthy();
  });

  test('a resource with a slip does not fit', () => {
    const slip = structuredClone(find('Deployment', 'trefoil-worker'));
    slip.spec.replicas = 'two';
    expect(() => validate(slip)).toThrow();
    const cluster = structuredClone(find('Cluster', 'trefoil-postgres'));
    cluster.spec.postgresql.synchronous.method = 'some';
    expect(() => validate(cluster)).toThrow();
    const misspelt = structuredClone(find('Deployment', 'trefoil-api'));
    misspelt.spec.template.spec.enableServiceLink = false;
    misspelt.spec.template.spec.containers[0].readinesProbe = {};
    const pod = '/spec/template/spec';
    expect(findUnknownFields(misspelt)).toEqual([`${pod}/enableServiceLink`, `${pod}/containers/0/readinesProbe`]);
  });

  test.each(workloads.map((each) => [nameOf(each), podOf(each)]))(
    '%s: restricted, limited, no writable root',
    (_, pod) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, resources: given } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        for (const unit of ['cpu', 'memory'])
          expect([given.requests[unit], given.limits[unit]]).not.toContain(undefined);
      }
      // Nothing that the pod could write to.
      expect(
        pod.volumes.flatMap((volume: Resource) => Object.keys(volume)).filter((key: string) => key !== 'name'),
      ).toEqual(pod.volumes.map(() => 'secret'));
    },
  );

  test.each(workloads.map((each) => [nameOf(each), podOf(each)]))('%s: every secret is a mounted file', (_, pod) => {
    for (const container of pod.containers) {
      const variables = variablesOf(container);
      expect(findFaults(Object.keys(variables))).toEqual([]);
      expect(container.env?.filter(({ valueFrom }: Resource) => valueFrom) ?? []).toEqual([]);
      expect(JSON.stringify(container.envFrom ?? [])).not.toContain('secretRef');
      const files = Object.entries(variables).filter(
        ([name]) => name.endsWith('_FILE') || name === 'NODE_EXTRA_CA_CERTS',
      );
      expect(files.length).toBeGreaterThan(1);
      for (const [, path] of files) {
        const mount = container.volumeMounts.find(({ mountPath }: Resource) => path.startsWith(`${mountPath}/`));
        expect(mount).toMatchObject({ readOnly: true });
        expect(pod.volumes.find(({ name }: Resource) => name === mount.name)).toHaveProperty('secret');
      }
    }
  });

  test('the owner’s password is in the migration alone', () => {
    const holders = workloads.filter((each) => JSON.stringify(each).includes('OWNER_DATABASE_URL'));
    expect(holders.map(nameOf)).toEqual(['Job trefoil-migrate']);
    expect(settings).not.toHaveProperty('TREFOIL_OWNER_DATABASE_URL_FILE');
  });

  test('the migration is a Job that ends: it is tried a few times, and no pod of it is restarted', () => {
    const { spec } = find('Job', 'trefoil-migrate');
    expect(spec).toMatchObject({ backoffLimit: 3, activeDeadlineSeconds: 1_800 });
    expect(podOf({ spec })).toMatchObject({ restartPolicy: 'Never', containers: [{ args: ['migrate'] }] });
    expect(ofKind('Deployment').flatMap((each) => podOf(each).containers[0].args)).toEqual(['api', 'worker']);
  });

  test('the API and the workers: probes, spread, a disruption budget, and time to drain', () => {
    for (const name of ['trefoil-api', 'trefoil-worker']) {
      const deployment = find('Deployment', name);
      const pod = podOf(deployment);
      expect(find('PodDisruptionBudget', name).spec).toEqual({ maxUnavailable: 1, selector: deployment.spec.selector });
      expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      const keys = pod.topologySpreadConstraints.map(({ topologyKey }: Resource) => topologyKey);
      expect(keys).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
      for (const each of pod.topologySpreadConstraints) expect(each.labelSelector).toEqual(deployment.spec.selector);
      const [container] = pod.containers;
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) expect(container).toHaveProperty(probe);
      const shutdownMs = Number(variablesOf(container)['TREFOIL_SHUTDOWN_MS'] ?? 20_000);
      expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(shutdownMs);
    }
  });

  test('the autoscaler knows the API, and its most pods are TREFOIL_NODES and fit PostgreSQL’s connections', () => {
    const { spec } = find('HorizontalPodAutoscaler', 'trefoil-api');
    expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'trefoil-api' });
    const target = { type: 'Utilization', averageUtilization: 60 };
    expect(spec.metrics).toEqual([{ type: 'Resource', resource: { name: 'cpu', target } }]);
    expect(spec.minReplicas).toBeGreaterThan(1);
    expect(String(spec.maxReplicas)).toBe(settings.TREFOIL_NODES);
    const perProcess =
      Number(settings.TREFOIL_DATABASE_CONNECTIONS) + Number(settings.TREFOIL_SYSTEM_DATABASE_CONNECTIONS);
    // One pod more of each during a roll-out.
    const processes = spec.maxReplicas + 1 + find('Deployment', 'trefoil-worker').spec.replicas + 1;
    const { parameters } = find('Cluster', 'trefoil-postgres').spec.postgresql;
    expect(processes * perProcess).toBeLessThan(Number(parameters.max_connections) - 20);
  });

  test('nothing may talk but what is named', () => {
    expect(find('NetworkPolicy', 'default-deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    // A peer without a label is everybody, and so is a rule without peers.
    const isNamed = ({ ipBlock, ...selectors }: Resource) =>
      ipBlock !== undefined || Object.values<Resource>(selectors).some(({ matchLabels }) => matchLabels !== undefined);
    const isOpen = ({ from, to = from, ports }: Resource) => !to?.length || !to.every(isNamed) || !ports?.length;
    const open = ofKind('NetworkPolicy').flatMap(({ metadata, spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])].filter(isOpen).map((rule) => ({ of: metadata.name, ...rule })),
    );
    // The Kubernetes API has no label, and PostgreSQL's instances ask it.
    const ports = [443, 6443].map((port) => ({ protocol: 'TCP', port }));
    expect(open).toEqual([{ of: 'postgres', ports }]);
    const blocks = JSON.stringify(find('NetworkPolicy', 'to-the-internet').spec.egress);
    for (const inside of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'])
      expect(blocks).toContain(`"${inside}"`);
    expect(find('Namespace', 'trefoil').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');
  });

  test('Prometheus finds the API and the workers, and no pod of the migration', () => {
    const selected = Object.entries(find('Service', 'trefoil-metrics').spec.selector);
    const found = workloads.filter(({ spec }) =>
      selected.every(([label, value]) => spec.template.metadata.labels[label] === value),
    );
    expect(found.map(nameOf)).toEqual(['Deployment trefoil-api', 'Deployment trefoil-worker']);
  });

  test('a commit waits for a standby, and the three are on different machines', () => {
    const { instances, postgresql, affinity, resources: given } = find('Cluster', 'trefoil-postgres').spec;
    expect(instances).toBe(3);
    expect(postgresql.synchronous).toEqual({ method: 'any', number: 1, dataDurability: 'required' });
    expect(affinity).toMatchObject({ enablePodAntiAffinity: true, podAntiAffinityType: 'required' });
    // Guaranteed: the last to be evicted from a full machine.
    expect(given.limits).toEqual(given.requests);
    expect(Object.keys(given.limits)).toEqual(['cpu', 'memory']);
  });
});

test('wherever trefoil_system is created, it may see which standbys confirm commits', () => {
  const roles: readonly Resource[] = find('Cluster', 'trefoil-postgres').spec.managed.roles;
  expect(roles.filter(({ inRoles }) => inRoles).map(({ name, inRoles }) => [name, inRoles])).toEqual([
    ['trefoil_system', ['pg_read_all_stats']],
  ]);
  for (const text of [read('compose/roles.sh'), readFileSync('docs/operate/deploy.md', 'utf8')]) {
    expect(text).toMatch(/^create role trefoil_system /m);
    expect(text).toMatch(/^grant pg_read_all_stats to trefoil_system;/m);
  }
});

describe('deploy/compose', () => {
  const { services, secrets } = parse(read('compose/compose.yaml'), { merge: true });
  const ours = Object.entries<Resource>(services).filter(([, { image }]) => image === 'trefoil:local');

  test.each(ours)('%s: no writable root, no rights, limits, and secrets as files', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect([service.mem_limit, service.pids_limit]).not.toContain(undefined);
    expect(findFaults(Object.keys(service.environment))).toEqual([]);
    const files = Object.entries<string>(service.environment).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path.replace('/run/secrets/', '')).toSorted()).toEqual(service.secrets.toSorted());
  });

  test('two API nodes, a worker, a migration before them; every secret is one that prepare makes', () => {
    expect(ours.map(([name]) => name)).toEqual(['api-1', 'api-2', 'worker', 'migrate']);
    const made = [...read('compose/prepare').matchAll(/^make (\S+)/gm)].map(([, name = '']) => name);
    expect(Object.keys(secrets).toSorted()).toEqual(made.toSorted());
    expect(read('compose/haproxy.cfg')).toContain('option httpchk GET /readyz');
  });
});

describe('deploy/systemd', () => {
  const units = readdirSync('deploy/systemd').filter((name) => name.endsWith('.service'));
  const valuesOf = (text: string, key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  test.each(units)('%s: read-only system, no rights, and every secret a credential', (name) => {
    const text = read(`systemd/${name}`);
    for (const line of ['ProtectSystem=strict', 'DynamicUser=yes', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=']) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).toMatch(/^MemoryMax=/m);
    const variables = valuesOf(text, 'Environment').flatMap((value) => value.split(' ').map((each) => each.split('=')));
    expect(findFaults(variables.map(([variable = '']) => variable))).toEqual([]);
    const credentials = valuesOf(text, 'LoadCredential').map((value) => value.split(':')[0] ?? '');
    const files = variables.filter(([variable = '']) => variable.endsWith('_FILE')).map(([, path]) => path);
    expect(files).toEqual(credentials.map((each) => `%d/${each}`));
    expect(files.length).toBeGreaterThan(0);
  });

  const dropIns = readdirSync('deploy/systemd').filter((name) => name.endsWith('.conf'));
  /** Of lines in comments too: live.conf has the traces in one. */
  const fileSettingsOf = (path: string) =>
    [...read(path).matchAll(/\b(TREFOIL_\w+)_FILE(?:=%d|: \/run\/secrets)\/([\w-]+)/g)].map(
      ([, name = '', file = '']) => ({ name, file }),
    );
  const namesIn = (...paths: string[]) => paths.flatMap((path) => fileSettingsOf(path).map(({ name }) => name));

  test('every secret setting has its file in both units or in a drop-in, which the documents name', () => {
    const [api = [], worker] = ['trefoil-api@.service', 'trefoil-worker.service'].map((unit) =>
      namesIn(`systemd/${unit}`),
    );
    expect(api).toEqual(worker);
    const others = namesIn('systemd/trefoil-migrate.service', ...dropIns.map((name) => `systemd/${name}`));
    expect([...api, ...others].toSorted()).toEqual(SECRETS.toSorted());
    const inKubernetes = [...namesIn('kubernetes/20-settings.yaml'), 'TREFOIL_OWNER_DATABASE_URL'];
    expect(inKubernetes.toSorted()).toEqual(SECRETS.toSorted());
    const configuration = readFileSync('docs/operate/configuration.md', 'utf8');
    for (const name of dropIns) expect(configuration).toContain(`| \`${name}\` |`);
  });

  test.each(dropIns)('%s: each credential has its setting, and its file is in the folder of secrets', (name) => {
    const values = valuesOf(read(`systemd/${name}`), 'LoadCredential').map((value) => value.split(':'));
    const files = fileSettingsOf(`systemd/${name}`).map(({ file }) => file);
    for (const [credential, path = ''] of values) {
      expect(files).toContain(credential);
      expect(dirname(path)).toBe('/etc/trefoil/secrets');
    }
  });

  test('the command line: each secret a file, none of the owner, and what the caller names goes first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trefoil-wrapper-'));
    try {
      mkdirSync(join(folder, 'secrets'));
      for (const name of ['hash-keys', 'hash-keys~', 'key-service', 'owner-database-url'])
        writeFileSync(join(folder, 'secrets', name), '');
      writeFileSync(join(folder, 'trefoil.env'), 'TREFOIL_NODES=2\n');
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin/trefoil'), '#!/bin/sh\nprintenv | grep ^TREFOIL_ | sort\n');
      chmodSync(join(folder, 'bin/trefoil'), 0o755);
      const env = {
        PATH: '/usr/bin:/bin',
        ETC_TREFOIL: folder,
        OPT_TREFOIL: folder,
        TREFOIL_KEY_SERVICE_FILE: 'old.json',
      };
      expect(spawnSync('sh', ['deploy/systemd/trefoil'], { env, encoding: 'utf8' }).stdout.trim().split('\n')).toEqual([
        `TREFOIL_HASH_KEYS_FILE=${folder}/secrets/hash-keys`,
        'TREFOIL_KEY_SERVICE_FILE=old.json',
        'TREFOIL_NODES=2',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // A tree with our units, the system's, and something to execute: systemd looks at nothing else.
  const tree = mkdtempSync(join(tmpdir(), 'trefoil-units-'));
  afterAll(() => rmSync(tree, { recursive: true, force: true }));
  const place = (path: string, from: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(from, join(tree, path), { recursive: true });
  };
  const analyze = (...parameters: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...parameters, '--no-pager', `--root=${tree}`]);
    return { status, said: `${stdout}${stderr}` };
  };
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  const started = units.map((name) => name.replace('@.', '@1.'));

  describe.skipIf(isMissing('systemd-analyze', hasSystemd))('as systemd reads them', () => {
    for (const name of [...units, 'trefoil.target']) place(`etc/systemd/system/${name}`, `deploy/systemd/${name}`);
    for (const unit of ['trefoil-api@.service', 'trefoil-worker.service']) {
      for (const name of dropIns) place(`etc/systemd/system/${unit}.d/${name}`, `deploy/systemd/${name}`);
    }
    if (hasSystemd) place('usr/lib/systemd/system', '/usr/lib/systemd/system');
    place('opt/trefoil/current/bin/node', '/bin/true');

    test('verify finds nothing, and it does find a misspelt line', () => {
      expect(analyze('verify', '--man=no', ...started, 'trefoil.target')).toEqual({ status: 0, said: '' });
      const text = read('systemd/trefoil-worker.service').replace('PrivateTmp=', 'PrivateTemp=');
      writeFileSync(join(tree, 'etc/systemd/system/trefoil-slip.service'), text);
      expect(analyze('verify', '--man=no', 'trefoil-slip.service').said).toContain("Unknown key 'PrivateTemp'");
    });

    test.each(started)('%s is rated 2.0 at most: what remains is the network and the compiler', (unit) => {
      expect(analyze('security', '--offline=true', '--threshold=20', unit).status).toBe(0);
      expect(analyze('security', '--offline=true', '--threshold=10', unit).status).toBe(1);
    });
  });

  test('the proxy of systemd and that of compose treat nodes and clients alike', () => {
    const rules = (path: string) => {
      const [, behind = ''] = read(path).split(/^defaults\n/m);
      const lines = behind
        .replace(/^resolvers docker\n(?: {2}.*\n)+/m, '')
        .replace(/ resolvers docker .*/, '')
        .split('\n');
      return lines.filter((line) => !/^$|^ {2}(bind|server) |redirect scheme/.test(line));
    };
    expect(rules('systemd/haproxy.cfg')).toEqual(rules('compose/haproxy.cfg'));
    expect(rules('systemd/haproxy.cfg')).toContain('  option httpchk GET /readyz');
  });

  test('the example of settings holds known names and no secret', () => {
    const names = [...read('systemd/trefoil.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    expect(names).toContain('TREFOIL_BASE_URL');
    expect(findFaults(names)).toEqual([]);
  });
});
