import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

const PARENT_BASED = 'parentbased_';

/**
 * The sampler of a name and an argument of the standard; in place of what is wrong the default, of which the library tells. It would
 * be asked by the library only once half a span is made, which would be most of what an unsampled request costs.
 */
export function openSampler(name: string, argument: string | undefined): Sampler {
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = rootSampler(isParentBased ? name.slice(PARENT_BASED.length) : name, argument);
  if (root === null) return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, argument: string | undefined): Sampler | null {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name !== 'traceidratio') return null;
  const ratio = Number(argument ?? 1);
  return new TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1);
}
