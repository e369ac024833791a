"""Charts as plain SVG: positions are computed here in whole units, templates only print them."""
