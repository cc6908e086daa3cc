import type { Assets } from './assets.ts';
import { scriptsHead } from './html.ts';

/** The head of `/docs`, which preloads the document and the scripts. */
export function referenceHead(assets: Assets, base: string): string {
  return `<link rel="preload" href="${base}/openapi.json" as="fetch" crossorigin>
${scriptsHead(assets, 'docs')}`;
}

/** The body of `/docs`: the frame that the script fills. */
export function referenceBody(base: string): string {
  return `<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<button type="button" id="menu" aria-expanded="false" aria-controls="side">Menu</button>
<a class="brand" href="#">Switch<span>board</span></a>
<span class="beta">beta</span>
<nav aria-label="Documents">
<a href="${base}/console">Console</a>
<a href="${base}/problems">Errors</a>
<a href="${base}/openapi.json">OpenAPI</a>
<a href="${base}/asyncapi.json">AsyncAPI</a>
<button type="button" id="theme">Auto</button>
</nav>
</header>
<div class="frame">
<aside class="side" id="side" aria-label="Methods and requests">
<div class="search" role="search">
<input type="search" id="search" placeholder="Search (press /)" aria-label="Search methods, requests and fields" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p>
</div>
<nav id="list" aria-label="Reference" tabindex="-1"></nav>
</aside>
<div class="content">
<noscript><p>This page needs JavaScript. Without it, read <a href="${base}/openapi.json">openapi.json</a>, which says the same, and <a href="${base}/problems">the errors</a>.</p></noscript>
<form id="connection" data-state="none" aria-label="Key and account" autocomplete="off">
<label><span>API key</span><input id="key" type="password" placeholder="sb_… or the root key" autocomplete="off" spellcheck="false"></label>
<label class="check"><input id="keep" type="checkbox"><span>Keep in this browser</span></label>
<label class="of-key"><span>Messenger account</span><select id="account"><option value="other">Type the ids</option></select></label>
<div id="other" hidden>
<label><span>Its id</span><input id="other-account" placeholder="acc_…" spellcheck="false"></label>
<label><span>Its workspace</span><input id="other-workspace" placeholder="ws_…" spellcheck="false"></label>
</div>
<p id="connection-state" role="status">Type a key to send requests</p>
<button type="button" id="change" class="quiet">Change</button>
</form>
<main id="main" tabindex="-1"></main>
</div>
</div>
<button type="button" id="shade" aria-label="Close the menu"></button>
</body>`;
}
