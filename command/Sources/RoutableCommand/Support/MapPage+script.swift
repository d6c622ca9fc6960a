// The style and the script of the page of `routable map --html`.

import RoutableCore

extension MapPage {
    static let controls: Bytes = #"""
        <input id="search" type="search" placeholder="Search names, paths and parameters" aria-label="Search">
        <button id="open">Open all</button><button id="close">Close all</button><output id="count"></output>

        """#

    static let style: Bytes = #"""
        :root{color-scheme:light dark;--back:#fff;--soft:#f6f8fa;--line:#d0d7de;--text:#1f2328;--gray:#57606a;--blue:#0969da}
        @media(prefers-color-scheme:dark){:root{--back:#0d1117;--soft:#161b22;--line:#30363d;--text:#e6edf3;--gray:#9198a1;--blue:#4493f8}}
        [hidden]{display:none!important}*{box-sizing:border-box}body{margin:0;height:100vh;display:flex;flex-direction:column;background:var(--back);color:var(--text);font:14px/1.45 sans-serif}
        header{display:flex;gap:10px;align-items:center;padding:10px 16px;border-bottom:1px solid var(--line)}h1{font-size:17px;margin:0}
        input{flex:1;max-width:420px;padding:5px 9px;border:1px solid var(--line);border-radius:6px;background:var(--back);color:inherit;font:inherit}
        button{padding:5px 9px;border:1px solid var(--line);border-radius:6px;background:var(--soft);color:inherit;font:inherit;cursor:pointer}
        output{color:var(--gray)}main{flex:1;display:flex;min-height:0}nav{flex:1;overflow:auto;padding:10px 16px}
        section{flex:1;overflow:auto;padding:14px 18px;border-left:1px solid var(--line);background:var(--soft)}
        details{margin-left:18px}nav>details{margin-left:0}summary{cursor:pointer;padding:1px 4px;border-radius:4px}summary:hover,.operation:hover{background:var(--soft)}
        .ids{color:var(--gray)}.operation{display:block;width:100%;margin:0 0 0 18px;padding:1px 4px;border:0;background:none;text-align:left;color:inherit}
        .operation.chosen{outline:1px solid var(--blue)}.method{display:inline-block;min-width:62px;color:var(--blue);font:12px monospace}
        .path,code{font-family:monospace;font-size:13px;overflow-wrap:anywhere}.gray{color:var(--gray)}a{color:var(--blue)}
        table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:3px 10px 3px 0;border-bottom:1px solid var(--line)}

        """#

    static let script: Bytes = #"""
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const tree = document.getElementById("tree"), detail = document.getElementById("detail");
        const rows = [];  // everything that can be found: its element, its text, and the folds around it

        function element(name, kind, text) {
          const made = document.createElement(name);
          if (kind) made.className = kind;
          if (text !== undefined) made.textContent = text;
          return made;
        }

        function operationRow(operation, owner, folds) {
          const row = element("button", "operation");
          row.append(element("span", "method", operation.method), element("span", "", operation.name));
          row.addEventListener("click", () => show(operation, owner, row));
          const words = [operation.name, operation.id, operation.method, operation.path, ...operation.parameters.map(each => each.name)];
          rows.push({element: row, text: words.join(" ").toLowerCase(), folds});
          return row;
        }

        // A graph may have cycles: a resource is shown once, and elsewhere as a reference that leads to it.
        const shown = new Map();
        function resourceRow(index, folds) {
          const resource = data.resources[index], fold = element("details"), own = [...folds, fold];
          shown.set(index, own);
          const head = element("summary", "", resource.name);
          const ids = resource.ids.map(each => "{" + each.name + "}").join(" ");
          if (ids) head.append(element("span", "ids", " " + ids));
          if (resource.collection) head.append(element("span", "gray", "  (directly below, without ids)"));
          fold.append(head);
          rows.push({element: fold, text: (resource.name + " " + resource.route + " " + resource.type).toLowerCase(), folds, isFold: true});
          for (const each of resource.operations) fold.append(operationRow(each, resource, own));
          for (const child of resource.has) {
            if (!shown.has(child)) { fold.append(resourceRow(child, own)); continue; }
            const reference = element("button", "operation gray", "\u2192 " + data.resources[child].name);
            reference.addEventListener("click", () => {
              for (const each of shown.get(child)) each.open = true;
              shown.get(child).at(-1).scrollIntoView({block: "center"});
            });
            fold.append(reference);
          }
          return fold;
        }

        function show(operation, owner, row) {
          for (const each of document.querySelectorAll(".chosen")) each.classList.remove("chosen");
          row.classList.add("chosen");
          detail.replaceChildren(element("h2", "", owner ? owner.route + " " + operation.name : operation.name));
          const line = element("p");
          line.append(element("span", "method", operation.method), element("span", "path", operation.path));
          detail.append(line);
          if (operation.description) detail.append(element("p", "", operation.description));
          if (operation.reason) detail.append(element("p", "gray", "No route: " + operation.reason));
          const facts = [["operationId", operation.id], ["body", [operation.body, ...operation.bodies].filter(Boolean).join(", ")],
                         ["result", operation.result]];
          for (const [name, value] of facts) if (value) {
            const fact = element("p", "gray", name + ": ");
            fact.append(element("code", "", value));
            detail.append(fact);
          }
          if (!operation.parameters.length) return detail.append(element("p", "gray", "No parameters."));
          const table = element("table"), head = element("tr");
          for (const title of ["parameter", "in", "type", ""]) head.append(element("th", "", title));
          table.append(head);
          for (const each of operation.parameters) {
            const cells = element("tr"), name = element("td");
            name.append(element("code", "", each.name), each.required ? " required" : "");
            cells.append(name, element("td", "", each.in), element("td", "", each.type), element("td", "gray", each.description));
            table.append(cells);
          }
          detail.append(table);
        }

        function search(text) {
          const words = text.toLowerCase().split(/\s+/).filter(Boolean);
          let found = 0;
          const wanted = new Set();
          for (const row of rows) {
            const isFound = words.every(each => row.text.includes(each));
            if (isFound && !row.isFold) found++;
            if (isFound) for (const each of [row.element, ...row.folds]) wanted.add(each);
            row.isFound = isFound;
          }
          for (const row of rows) {
            const isBelow = words.length > 0 && row.folds.some(fold => rowOf.get(fold).isFound);
            row.element.hidden = words.length > 0 && !wanted.has(row.element) && !isBelow;
            if (row.isFold && words.length) row.element.open = wanted.has(row.element);
          }
          document.getElementById("count").textContent = words.length ? found + " operations" : data.resources.length + " resources";
        }

        for (const index of data.roots) if (!shown.has(index)) tree.append(resourceRow(index, []));
        if (data.standalone.length) {
          const fold = element("details"), count = data.standalone.length;
          fold.append(element("summary", "gray", count + (count === 1 ? " operation" : " operations") + " of no resource"));
          rows.push({element: fold, text: "", folds: [], isFold: true});
          for (const each of data.standalone) fold.append(operationRow(each, null, [fold]));
          tree.append(fold);
        }
        const rowOf = new Map(rows.map(row => [row.element, row]));
        function openAll(isOpen) { for (const row of rows) if (row.isFold) row.element.open = isOpen; }
        document.getElementById("open").addEventListener("click", () => openAll(true));
        document.getElementById("close").addEventListener("click", () => openAll(false));
        document.getElementById("search").addEventListener("input", event => search(event.target.value));
        if (rows.length <= 40) openAll(true);
        search("");

        """#
}
