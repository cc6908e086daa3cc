import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '../../../src/config.ts';

const FOLDER = 'docs/deploy/kubernetes';
const MODELS = {
  'apps/v1 Deployment': Deployment,
  'v1 Service': Service,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'keda.sh/v1alpha1 ScaledObject': ScaledObject,
  'keda.sh/v1alpha1 TriggerAuthentication': TriggerAuthentication,
};

// biome-ignore lint/suspicious/noExplicitAny: manifests have any shape
type Manifest = Record<string, any>;

const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(`${FOLDER}/${file}`, 'utf8')).map((document) => ({
    file,
    manifest: document.toJS() as Manifest,
  })),
);
const deployments = manifests.filter(({ manifest }) => manifest.kind === 'Deployment');

/** The paths of health and metrics that the process of a container answers, by its code. */
function pathsServed({ command }: Manifest): string[] {
  const files = command.includes('dist/workers/main.js')
    ? ['workers/start-worker.ts']
    : ['src/api/routes/health.ts', 'src/api/routes/metrics.ts'];
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return [...code.matchAll(/(?:app\.get\(\s*|request\.url === )'(\/\w+)'/g)].map(([, path = '']) => path);
}

function validate(manifest: Manifest): void {
  const Model = MODELS[`${manifest.apiVersion} ${manifest.kind}` as keyof typeof MODELS];
  new Model(manifest as never).validate();
}

it.each(manifests.map(({ file, manifest }) => [file, manifest.kind, manifest.metadata.name, manifest]))(
  '%s: the %s %s is valid by its schema',
  (_file, _kind, _name, manifest) => validate(manifest as Manifest),
);

it('a wrong manifest is not', () => {
  const [{ manifest } = { manifest: {} }] = deployments;
  const wrong = structuredClone(manifest) as Manifest;
  wrong.spec.template.spec.containers[0].ports[0].containerPort = 'http';
  expect(() => validate(wrong)).toThrow(/containerPort/);
});

describe.each(deployments.map(({ file, manifest }) => [file, manifest]))(
  'the deployment of %s',
  (_, manifest) => {
    const { spec, metadata } = manifest as Manifest;
    const [container] = spec.template.spec.containers;

    it('is what its selector, its budget and its scaler mean', () => {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      const mates = manifests.map((one) => one.manifest).filter(({ kind }) => kind === 'PodDisruptionBudget');
      expect(mates.map((one) => one.spec.selector.matchLabels)).toContainEqual(spec.selector.matchLabels);
      const scaled = manifests.map((one) => one.manifest.spec.scaleTargetRef?.name);
      expect(scaled).toContain(metadata.name);
    });

    it('leaves the number of pods to its autoscaler, since each apply would set it back', () => {
      expect(spec.replicas).toBeUndefined();
    });

    it('waits before it ends if a Service sends it connections, which keep arriving for a while', () => {
      const services = manifests.map((one) => one.manifest).filter(({ kind }) => kind === 'Service');
      const isServed = services.some((one) =>
        isDeepStrictEqual(one.spec.selector, spec.template.metadata.labels),
      );
      const preStop = container.lifecycle?.preStop.exec.command;
      expect(preStop).toEqual(isServed ? ['sleep', expect.stringMatching(/^[1-9]\d*$/)] : undefined);
    });

    it('has its metrics scraped where they are served', () => {
      expect(spec.template.metadata.annotations).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(container.ports[0].containerPort),
      });
      // The path that Prometheus takes without an annotation.
      expect(pathsServed(container)).toContain('/metrics');
    });

    it('sets settings that there are, and probes a path that is served, on a port that is open', () => {
      const names = container.env.map(({ name }: { name: string }) => name);
      expect(names.filter((name: string) => !SETTING_NAMES.includes(name))).toEqual([]);
      const ports = container.ports.map(({ name }: { name: string }) => name);
      expect(container).toMatchObject({ startupProbe: {}, livenessProbe: {} });
      for (const [name, probe] of Object.entries<Manifest>(container)) {
        if (!name.endsWith('Probe')) continue;
        expect(ports).toContain(probe.httpGet.port);
        expect(pathsServed(container)).toContain(probe.httpGet.path);
      }
      const port = container.env.find(({ name }: { name: string }) => /PORT$/.test(name)).value;
      expect(String(container.ports[0].containerPort)).toBe(port);
    });

    it('gives a process longer to end than it takes', () => {
      const preStop = Number(container.lifecycle?.preStop.exec.command[1] ?? 0);
      // SHUTDOWN_GRACE_MS, and what closing takes after it.
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + 20);
    });
  },
);

it('KEDA and the HPA go by the figure of /v1/scaling', () => {
  const scaled = manifests.find(({ manifest }) => manifest.kind === 'ScaledObject')?.manifest as Manifest;
  const [{ type, metadata }] = scaled.spec.triggers;
  expect([type, metadata.valueLocation, metadata.targetValue]).toEqual([
    'metrics-api',
    'desiredWorkers',
    '1',
  ]);
  expect(metadata.url).toMatch(/\/v1\/scaling$/);
  // With fewer, an outage of Redis, during which /v1/scaling has no figure, would end workers.
  expect(scaled.spec.fallback.replicas).toBe(scaled.spec.maxReplicaCount);
  const hpa = manifests.find(({ file }) => file === 'hpa.yaml')?.manifest as Manifest;
  expect(hpa.spec.metrics[0].external.metric.name).toBe('switchboard_workers_desired');
});
