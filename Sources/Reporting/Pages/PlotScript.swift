// What plots do beyond being looked at: values under the pointer, zoom, lines switched off. The one script of our pages.
// Pure; any thread.

/// It needs no network and keeps nothing. All it shows stands in the page's tables; without it the page is whole.
enum PlotScript {
    // Plots of one table share their horizontal range. What is written into the page goes in as text, never as markup.
    static let text = #"""
        (function () {
          "use strict";
          var ranges = {};
          var plots = [].slice.call(document.querySelectorAll(".plot[data-table]")).map(prepare).filter(Boolean);

          function prepare(plot) {
            var table = document.getElementById(plot.dataset.table);
            if (!table) { return null; }
            var rows = [].slice.call(table.tBodies[0].rows);
            var heads = [].slice.call(table.tHead.rows[0].cells).map(function (cell) { return cell.textContent; });
            var places = plot.dataset.places
              ? JSON.parse(plot.dataset.places)
              : rows.map(function (_, row) { return (row + 0.5) / rows.length; });
            var self = {
              plot: plot, svg: plot.querySelector("svg"), axis: plot.querySelector(".x"), key: plot.dataset.table,
              heads: heads, rows: rows, places: places, row: -1,
              columns: JSON.parse(plot.dataset.columns)
            };
            ranges[self.key] = [0, 1];
            self.cursor = add(plot, "div", "cursor");
            self.chosen = add(plot, "div", "chosen");
            self.box = add(plot, "div", "tip-box");
            self.box.setAttribute("role", "status");
            plot.tabIndex = 0;
            hide(self);
            self.chosen.hidden = true;
            self.tools = tools(self);
            listen(self);
            return self;
          }

          function add(parent, name, style) {
            var element = document.createElement(name);
            element.className = style;
            parent.appendChild(element);
            return element;
          }

          function hide(self) { self.cursor.hidden = true; self.box.hidden = true; self.row = -1; }

          // From 0 to 1 in the whole of the data.
          function placeOf(self, event) {
            var box = self.svg.getBoundingClientRect(), range = ranges[self.key];
            var share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
            return range[0] + share * (range[1] - range[0]);
          }

          function left(self, place) {
            var range = ranges[self.key];
            return self.svg.getBoundingClientRect().left - self.plot.getBoundingClientRect().left
              + (place - range[0]) / (range[1] - range[0]) * self.svg.getBoundingClientRect().width;
          }

          function nearest(self, place) {
            var best = 0;
            self.places.forEach(function (other, row) {
              if (Math.abs(other - place) < Math.abs(self.places[best] - place)) { best = row; }
            });
            return best;
          }

          function show(self, row) {
            var cells = self.rows[row].cells, x = left(self, self.places[row]), svg = self.svg.getBoundingClientRect();
            self.row = row;
            self.cursor.hidden = self.box.hidden = false;
            self.cursor.style.left = x + "px";
            self.cursor.style.top = svg.top - self.plot.getBoundingClientRect().top + "px";
            self.cursor.style.height = svg.height + "px";
            self.box.textContent = "";
            add(self.box, "b", "").textContent = self.heads[0] + " " + cells[0].textContent;
            self.columns.forEach(function (column) {
              add(self.box, "div", "").textContent = self.heads[column] + ": " + (cells[column].textContent || "none");
            });
            var width = self.box.offsetWidth, room = self.plot.clientWidth;
            self.box.style.left = Math.max(0, x + 12 + width > room ? x - 12 - width : x + 12) + "px";
            self.box.style.top = "0";
          }

          function zoom(key, from, to) {
            if (to - from < 0.005) { return; }
            ranges[key] = [Math.max(0, from), Math.min(1, to)];
            plots.forEach(function (self) { if (self.key === key) { draw(self); } });
          }

          function draw(self) {
            var range = ranges[self.key], width = range[1] - range[0], whole = width > 0.999;
            self.svg.setAttribute("viewBox", range[0] * 1000 + " 0 " + width * 1000 + " 1000");
            self.svg.style.overflow = whole ? "" : "hidden";
            self.axis.querySelectorAll(".zoomed").forEach(function (label) { label.remove(); });
            self.axis.querySelectorAll("span").forEach(function (label) { label.hidden = !whole; });
            if (!whole) {
              var inside = self.places.map(function (_, row) { return row; }).filter(function (row) {
                return self.places[row] >= range[0] && self.places[row] <= range[1];
              });
              var step = Math.max(1, Math.ceil(inside.length / 5));
              inside.filter(function (_, index) { return index % step === 0; }).forEach(function (row) {
                var label = add(self.axis, "span", "zoomed");
                label.textContent = self.rows[row].cells[0].textContent;
                label.style.left = (self.places[row] - range[0]) / width * 100 + "%";
              });
            }
            self.reset.hidden = whole;
            hide(self);
          }

          function tools(self) {
            var figure = self.plot.closest("figure");
            if (!figure) { return null; }
            var line = document.createElement("div");
            line.className = "tools";
            if (!self.plot.classList.contains("low")) {
              add(line, "span", "").textContent = "Point for values, drag to zoom; arrow keys, + and - do the same.";
            }
            self.reset = add(line, "button", "reset");
            self.reset.type = "button";
            self.reset.textContent = "Whole range";
            self.reset.hidden = true;
            self.reset.addEventListener("click", function () { zoom(self.key, 0, 1); });
            figure.appendChild(line);
            [].forEach.call(figure.querySelectorAll(".legend li[data-class]"), function (item) { toggle(self, item); });
            return line;
          }

          // A line of the legend that switches its line of the plot.
          function toggle(self, item) {
            var button = document.createElement("button");
            button.type = "button";
            button.setAttribute("aria-pressed", "true");
            while (item.firstChild) { button.appendChild(item.firstChild); }
            item.appendChild(button);
            button.addEventListener("click", function () {
              var isOn = button.getAttribute("aria-pressed") !== "true";
              button.setAttribute("aria-pressed", String(isOn));
              self.svg.querySelectorAll("." + item.dataset.class).forEach(function (shape) {
                shape.style.display = isOn ? "" : "none";
              });
            });
          }

          function listen(self) {
            var began = null;
            self.plot.addEventListener("pointermove", function (event) {
              if (began === null) { show(self, nearest(self, placeOf(self, event))); return; }
              var now = placeOf(self, event), a = left(self, Math.min(began, now)), b = left(self, Math.max(began, now));
              self.chosen.hidden = false;
              self.chosen.style.left = a + "px";
              self.chosen.style.width = b - a + "px";
              self.chosen.style.top = self.cursor.style.top;
              self.chosen.style.height = self.cursor.style.height;
            });
            self.plot.addEventListener("pointerleave", function () { if (began === null) { hide(self); } });
            self.plot.addEventListener("pointerdown", function (event) {
              if (event.pointerType === "touch") { show(self, nearest(self, placeOf(self, event))); return; }
              began = placeOf(self, event);
              self.plot.setPointerCapture(event.pointerId);
              event.preventDefault();
            });
            self.plot.addEventListener("pointerup", function (event) {
              if (began === null) { return; }
              var ended = placeOf(self, event);
              self.chosen.hidden = true;
              zoom(self.key, Math.min(began, ended), Math.max(began, ended));
              began = null;
            });
            self.plot.addEventListener("dblclick", function () { zoom(self.key, 0, 1); });
            self.plot.addEventListener("keydown", function (event) { key(self, event); });
            self.plot.addEventListener("blur", function () { hide(self); });
          }

          function key(self, event) {
            var range = ranges[self.key], middle = self.row < 0 ? (range[0] + range[1]) / 2 : self.places[self.row];
            var width = range[1] - range[0], row = self.row < 0 ? nearest(self, range[0]) : self.row;
            switch (event.key) {
            case "ArrowRight": show(self, Math.min(self.rows.length - 1, self.row < 0 ? row : row + 1)); break;
            case "ArrowLeft": show(self, Math.max(0, row - 1)); break;
            case "+": zoom(self.key, Math.max(0, middle - width / 4), Math.min(1, middle + width / 4)); break;
            case "-": zoom(self.key, Math.max(0, middle - width), Math.min(1, middle + width)); break;
            case "0": zoom(self.key, 0, 1); break;
            case "Escape": hide(self); break;
            default: return;
            }
            event.preventDefault();
          }

          // A link to a rule opens it.
          function open() {
            var target = document.getElementById(location.hash.slice(1));
            if (target && target.tagName === "DETAILS") { target.open = true; }
          }
          window.addEventListener("hashchange", open);
          open();
        })();
        """#
}
