/** The style of the documentation page. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #2c6fdb }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { margin: 0 } h2 { margin: 2rem 0 .5rem }
code, pre, textarea, input, select { font: 13px/1.45 ui-monospace, monospace }
pre { background: var(--soft); padding: .75rem; overflow: auto; max-height: 28rem; border-radius: 6px; white-space: pre-wrap }
details.operation { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0 }
details.operation > summary { cursor: pointer; padding: .45rem .75rem; display: flex; gap: .75rem; align-items: baseline }
details.operation > div { padding: 0 .75rem .75rem }
.verb { font-weight: 700; color: var(--accent); min-width: 4.2em } .what { margin-left: auto; opacity: .75; text-align: right }
label { display: grid; grid-template-columns: 12rem 1fr; gap: .5rem; margin: .3rem 0; align-items: baseline }
input, textarea { width: 100%; box-sizing: border-box; padding: .35rem; border: 1px solid var(--line); border-radius: 4px }
textarea { min-height: 8rem } button { padding: .4rem 1rem; margin: .4rem 0 } .key { position: sticky; top: 0; background: Canvas; padding: .5rem 0 }
small { opacity: .75 }
`;

/** The script of the documentation page: it shows `openapi.json` and sends requests. */
export const DOCS_SCRIPT = String.raw`
'use strict';
const base = location.pathname.replace(/\/docs\/*$/, '');
const main = document.querySelector('main');
const el = (name, props = {}, ...children) => {
  const node = Object.assign(document.createElement(name), props);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
const key = el('input', { type: 'password', placeholder: 'sb_… or the root key', autocomplete: 'off' });

function resolve(doc, part) {
  return part && part.$ref ? part.$ref.slice(2).split('/').reduce((found, name) => found[name], doc) : part;
}

function example(doc, given, depth = 0) {
  const schema = resolve(doc, given) || {};
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  const either = schema.oneOf || schema.anyOf;
  if (either) return depth > 6 ? null : example(doc, either.find((one) => /Empty$/.test(one.$ref || '')) || either[0], depth + 1);
  if (schema.properties) {
    const required = schema.required || [];
    const shown = Object.entries(schema.properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(shown.map(([name, one]) => [name, depth > 6 ? null : example(doc, one, depth + 1)]));
  }
  const type = [schema.type].flat()[0];
  if (type === 'array') return depth > 6 ? [] : [example(doc, schema.items, depth + 1)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'object') return {};
  return schema.format === 'int64' ? '0' : '';
}

function operation(doc, path, verb, op) {
  const fields = (op.parameters || []).map((given) => {
    const parameter = resolve(doc, given);
    const input = el('input', { placeholder: parameter.required ? 'required' : '' });
    const about = (parameter.schema && parameter.schema.description) || parameter.description || '';
    return { parameter, input, row: el('label', {}, el('span', { textContent: parameter.name, title: about }), input) };
  });
  const content = op.requestBody && Object.values(op.requestBody.content)[0];
  const body = content && el('textarea', { spellcheck: false });
  const answer = el('pre', { hidden: true });
  const stop = el('button', { textContent: 'Stop', hidden: true });
  const send = el('button', { textContent: 'Send' });

  async function go() {
    let address = base + path;
    const query = new URLSearchParams();
    const headers = key.value ? { authorization: 'Bearer ' + key.value } : {};
    for (const { parameter, input } of fields) {
      if (parameter.in === 'path') address = address.replace('{' + parameter.name + '}', encodeURIComponent(input.value));
      else if (input.value && parameter.in === 'query') query.append(parameter.name, input.value);
      else if (input.value) headers[parameter.name] = input.value;
    }
    if (body) headers['content-type'] = 'application/json';
    const abort = new AbortController();
    stop.onclick = () => abort.abort();
    stop.hidden = false;
    answer.hidden = false;
    answer.textContent = '…';
    try {
      const response = await fetch(address + (query.size ? '?' + query : ''), {
        method: verb.toUpperCase(), headers, body: body ? body.value : undefined, signal: abort.signal,
      });
      const head = response.status + ' ' + response.statusText + '\n'
        + [...response.headers].map(([name, value]) => name + ': ' + value).join('\n') + '\n\n';
      let text = '';
      const reader = response.body && response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part; reader && !(part = await reader.read()).done; ) {
        text += part.value;
        answer.textContent = head + text;
      }
      try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
      answer.textContent = head + text;
    } catch (error) {
      answer.textContent += '\n' + error.message;
    }
    stop.hidden = true;
  }
  send.onclick = go;

  const inside = el('div');
  const node = el('details', { className: 'operation' },
    el('summary', {}, el('span', { className: 'verb', textContent: verb.toUpperCase() }),
      el('code', { textContent: path }), el('span', { className: 'what', textContent: op.summary || '' })), inside);
  node.addEventListener('toggle', () => {
    if (inside.childNodes.length > 0) return;
    if (body) body.value = JSON.stringify(content.example || example(doc, content.schema), null, 2);
    const statuses = Object.entries(op.responses || {}).map(([status, one]) => status + ' ' + resolve(doc, one).description).join('\n');
    const ok = Object.entries(op.responses || {}).find(([status]) => status[0] === '2');
    const schema = ok && ok[1].content && Object.values(ok[1].content)[0].schema;
    inside.append(
      op.description ? el('p', { textContent: op.description }) : '',
      ...fields.map(({ row }) => row),
      ...(body ? [el('p', {}, el('small', { textContent: 'Body' })), body] : []),
      send, stop, answer,
      el('details', {}, el('summary', { textContent: 'Answers' }), el('pre', { textContent: statuses }),
        schema ? el('pre', { textContent: JSON.stringify(resolve(doc, schema), null, 2) }) : ''),
    );
  }, { once: false });
  return node;
}

async function show() {
  const doc = await (await fetch(base + '/openapi.json')).json();
  const groups = new Map();
  for (const [path, verbs] of Object.entries(doc.paths)) {
    for (const [verb, op] of Object.entries(verbs)) {
      const tag = (op.tags || ['Other'])[0];
      groups.set(tag, [...(groups.get(tag) || []), operation(doc, path, verb, op)]);
    }
  }
  const link = el('a', { href: base + '/openapi.json', textContent: 'openapi.json' });
  main.replaceChildren(
    el('h1', { textContent: doc.info.title }),
    el('p', {}, el('small', {}, doc.info.version + ' · ', link)),
    el('p', { textContent: doc.info.description.replaceAll('**', '').replaceAll(String.fromCharCode(96), '') }),
    el('label', { className: 'key' }, el('span', { textContent: 'API key' }), key),
  );
  for (const [tag, nodes] of groups) main.append(el('h2', { textContent: tag }), ...nodes);
}

show().catch((error) => { main.textContent = 'The API description could not be read: ' + error.message; });
`;
