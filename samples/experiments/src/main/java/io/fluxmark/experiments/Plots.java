package io.fluxmark.experiments;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots in one style, written as PNG. */
public final class Plots {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;

    private Plots() {}

    static CategoryChart bars(String title, String x, String y) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler());
        chart.getStyler().setAvailableSpaceFill(0.8);
        return chart;
    }

    /** An empty chart for {@link #line}. */
    public static XYChart lines(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler());
        return chart;
    }

    /** Adds a line with a mark at each point. */
    public static void line(XYChart chart, String name, List<Double> x, List<Double> y) {
        chart.addSeries(name, x, y).setMarker(SeriesMarkers.CIRCLE);
    }

    static void write(CategoryChart chart, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }

    /** Writes {@code chart} as PNG. */
    public static void write(XYChart chart, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }

    private static void style(Styler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    }
}
